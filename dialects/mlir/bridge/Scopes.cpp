// A check of the text before MLIR parses it. The parsers of some ops resolve the operands before they parse a region. An
// operand that is not defined yet is then a placeholder, which a definition in the region replaces and destroys,
// although the op has it as its operand: MLIR 19 reads freed memory. Such a program is never valid, since no op can use
// a value of its own regions.
#include "bridge/Registry.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace {
/// The names inside one pair of braces.
struct Scope {
  SmallVector<StringRef> defined;
  /// The operands of the current op that are not defined yet.
  SmallVector<StringRef> undefined;
  /// True if the parser of the current op may resolve operands before it parses a region.
  bool early = false;
};

/// Checks whether the parser of an op may resolve its operands before it parses a region that sees names from outside.
bool resolvesEarly(StringRef op) {
  static const llvm::StringSet<> names = {"affine.for",
                                          "affine.if",
                                          "affine.parallel",
                                          "async.execute",
                                          "emitc.for",
                                          "emitc.if",
                                          "gpu.launch",
                                          "linalg.generic",
                                          "linalg.map",
                                          "linalg.reduce",
                                          "memref.generic_atomic_rmw",
                                          "scf.for",
                                          "scf.forall",
                                          "scf.if",
                                          "scf.parallel",
                                          "scf.reduce",
                                          "scf.while",
                                          "shape.assuming",
                                          "shape.reduce",
                                          "tosa.cond_if",
                                          "tosa.while_loop",
                                          "vector.mask",
                                          "vector.warp_execute_on_lane_0"};
  return names.contains(op);
}

struct OwnOperand {
  const char *use, *definition;
  StringRef name;
};

class Scanner {
public:
  explicit Scanner(StringRef text) : start(text.begin()), next(text.begin()), end(text.end()), scopes(1) {}

  /// Returns the first operand that a region of its op defines.
  std::optional<OwnOperand> run() {
    while (!found && !token().empty())
      step();
    return found;
  }

private:
  /// Reads one token: a name with its prefix, a number, a string, or one character. It is empty at the end.
  StringRef token() {
    auto isNamePart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; };
    while (next != end && (llvm::isSpace(*next) || *next == 0 || StringRef(next, end - next).starts_with("//"))) {
      if (*next++ == '/')
        next = std::find(next, end, '\n');
    }
    const char *begin = next;
    if (next == end)
      return current = {};
    char first = *next++;
    if (first == '"') {
      while (next != end && *next != '"' && *next != '\n')
        next += *next == '\\' && next + 1 != end ? 2 : 1;
      next += next != end;
    } else if (StringRef("%^!#@").contains(first) || llvm::isAlnum(first) || first == '_') {
      while (next != end && isNamePart(*next) && !StringRef(next, end - next).starts_with("->"))
        ++next;
    }
    return current = StringRef(begin, next - begin);
  }

  StringRef peek() {
    const char *saved = next;
    StringRef kept = current, result = token();
    next = saved, current = kept;
    return result;
  }

  /// Returns the first character of the next token, 0 at the end.
  char peekCharacter() { return peek().empty() ? 0 : peek().front(); }

  void step() {
    if (current == "{")
      return scopes.emplace_back(), void();
    if (current == "}")
      return scopes.size() > 1 ? close() : void();
    if (current.starts_with("^"))
      return beginsBlock() ? label() : void();
    if (current.starts_with("%"))
      return value();
    bool isName = llvm::isAlpha(current[0]) && (current.contains('.') || current == "module");
    if (isName || (current[0] == '"' && peek() == "("))
      begin(isName && resolvesEarly(current));
  }

  /// Checks whether a block may begin with the current token: after a brace or at the beginning of a line.
  bool beginsBlock() {
    const char *before = current.begin();
    while (before != start && (before[-1] == ' ' || before[-1] == '\t'))
      --before;
    return before == start || StringRef("{\n\r").contains(before[-1]);
  }

  /// Begins an op.
  void begin(bool early) {
    for (StringRef name : scopes.back().undefined)
      pending[name].pop_back();
    scopes.back().undefined.clear();
    scopes.back().early = early;
  }

  void close() {
    begin(false);
    for (StringRef name : scopes.back().defined)
      --visible[name];
    scopes.pop_back();
  }

  void define(StringRef name) {
    // Those of the current scope have gone with the beginning of the op that defines the name.
    if (auto uses = pending.find(name); !found && uses != pending.end() && !uses->second.empty())
      found = {uses->second.front(), name.begin(), name};
    scopes.back().defined.push_back(name);
    ++visible[name];
  }

  void use(StringRef name) {
    if (visible.lookup(name) != 0)
      return;
    pending[name].push_back(name.begin());
    scopes.back().undefined.push_back(name);
  }

  /// Reads the results of an op, `%a, %b:2 = name`, or a list of operands, `%a, %b`, of which the last may be an
  /// argument of a region, `%b =`.
  void value() {
    const char *after = next;
    SmallVector<StringRef> names = {current};
    while (token() == "," && peek().starts_with("%")) {
      names.push_back(token());
      after = next;
    }
    if (current == ":" && llvm::isDigit(peekCharacter()))
      token(), token();
    bool isBound = peek() == "max" || peek() == "min";
    if (current == "=" && !isBound && (llvm::isAlpha(peekCharacter()) || peekCharacter() == '"')) {
      begin(false);
      llvm::for_each(names, [&](StringRef name) { define(name); });
      return;
    }
    next = after;
    if (peek() == "=")
      names.pop_back();
    if (!scopes.back().early)
      return;
    llvm::for_each(names, [&](StringRef name) { use(name); });
  }

  /// Reads the label of a block with its arguments, `^name(%a: type):`.
  void label() {
    const char *after = next;
    SmallVector<StringRef> names;
    if (peek() == "(") {
      int depth = 0;
      do {
        token();
        depth += current == "(" ? 1 : current == ")" ? -1 : 0;
        if (depth == 1 && current.starts_with("%") && peek() == ":")
          names.push_back(current);
      } while (depth > 0 && !current.empty() && current != "{" && current != "}");
    }
    if (peek() == ":") {
      begin(false);
      llvm::for_each(names, [&](StringRef name) { define(name); });
    } else {
      next = after;
    }
  }

  const char *start, *next, *end;
  StringRef current;
  SmallVector<Scope> scopes;
  /// The number of open scopes that define a name.
  llvm::StringMap<unsigned> visible;
  /// The uses of a name by the current ops of the open scopes, before its definition.
  llvm::StringMap<SmallVector<const char *, 1>> pending;
  std::optional<OwnOperand> found;
};
} // namespace

LogicalResult mlopt::checkOwnOperands(llvm::MemoryBufferRef buffer, MLIRContext *context, StringRef splitMarker) {
  if (isBytecode(buffer))
    return success();
  SmallVector<StringRef> parts = {buffer.getBuffer()};
  if (!splitMarker.empty()) {
    parts.clear();
    buffer.getBuffer().split(parts, splitMarker);
  }
  std::optional<OwnOperand> found;
  for (StringRef part : parts)
    if (!found)
      found = Scanner(part).run();
  if (!found)
    return success();
  auto location = [&](const char *place) {
    StringRef before(buffer.getBufferStart(), place - buffer.getBufferStart());
    size_t line = before.rfind('\n');
    return FileLineColLoc::get(context, buffer.getBufferIdentifier(), before.count('\n') + 1,
                               before.size() - (line == StringRef::npos ? 0 : line + 1) + 1);
  };
  InFlightDiagnostic error = emitError(location(found->use)) << "operand " << found->name
                             << " must be defined before this op, not in the op's region";
  error.attachNote(location(found->definition)) << "defined here";
  return error;
}
