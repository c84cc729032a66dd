#include "bridge/Bridge.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

void mlopt_visit_attribute_names(MlirOperation op, bool discardable, void (*visit)(MlirStringRef, void *),
                                 void *data) {
  if (discardable) {
    for (NamedAttribute attribute : unwrap(op)->getDiscardableAttrs())
      visit(wrap(attribute.getName().strref()), data);
    return;
  }
  for (StringAttr name : unwrap(op)->getName().getAttributeNames())
    visit(wrap(name.strref()), data);
}

void mlopt_emit(MlirLocation location, int32_t severity, MlirStringRef text, const MloptNote *notes,
                intptr_t numNotes) {
  static const DiagnosticSeverity severities[] = {DiagnosticSeverity::Error, DiagnosticSeverity::Warning,
                                                  DiagnosticSeverity::Remark};
  Location loc = unwrap(location);
  InFlightDiagnostic diagnostic = loc.getContext()->getDiagEngine().emit(loc, severities[severity]);
  diagnostic << unwrap(text);
  for (const MloptNote &note : llvm::ArrayRef(notes, numNotes))
    diagnostic.attachNote(unwrap(note.location)) << unwrap(note.text);
}

intptr_t mlopt_raw_data_size(MlirAttribute elements) {
  return cast<DenseElementsAttr>(unwrap(elements)).getRawData().size();
}

bool mlopt_is_pure(MlirOperation op) { return isPure(unwrap(op)); }

int32_t mlopt_purity(MlirOperation op) {
  Operation *operation = unwrap(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(operation);
  auto speculation = dyn_cast<ConditionallySpeculatable>(operation);
  bool ofRegions = operation->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  Speculation::Speculatability speculatability =
      speculation ? speculation.getSpeculatability() : Speculation::NotSpeculatable;
  if ((effects ? !effects.hasNoEffect() : !ofRegions) || speculatability == Speculation::NotSpeculatable)
    return 0;
  return ofRegions || speculatability == Speculation::RecursivelySpeculatable ? 2 : 1;
}

bool mlopt_has_no_own_effects(MlirOperation op) {
  Operation *operation = unwrap(op);
  return operation->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(operation);
}

void mlopt_erase(MlirOperation op) {
  // The destructor of an op drops the references of all nested ops, at every level. After erasing from the inside out,
  // there are none.
  unwrap(op)->dropAllReferences();
  unwrap(op)->walk<WalkOrder::PostOrder>([](Operation *inner) { inner->erase(); });
}

MlirOperation mlopt_symbol(void *tables, MlirOperation table, MlirStringRef name) {
  Operation *op = unwrap(table);
  StringAttr symbol = StringAttr::get(op->getContext(), unwrap(name));
  return wrap(static_cast<SymbolTableCollection *>(tables)->lookupSymbolIn(op, symbol));
}

bool mlopt_is_function(MlirOperation op) { return isa<func::FuncOp>(unwrap(op)); }

bool mlopt_is_registered(MlirOperation op) { return unwrap(op)->isRegistered(); }

void mlopt_set_operands(MlirOperation op, intptr_t n, const MlirValue *operands) {
  SmallVector<Value> values;
  for (MlirValue value : llvm::ArrayRef(operands, n))
    values.push_back(unwrap(value));
  unwrap(op)->setOperands(values);
}

void mlopt_erase_first_arguments(MlirBlock block, intptr_t n) { unwrap(block)->eraseArguments(0, n); }

MlirStringRef mlopt_type_name(MlirType type) { return wrap(unwrap(type).getAbstractType().getName()); }

void mlopt_type_parts(MlirType type, void (*visit)(MlirType, void *), void (*attribute)(MlirAttribute, void *),
                      void *data) {
  unwrap(type).walkImmediateSubElements([&](Attribute part) { attribute(wrap(part), data); },
                                        [&](Type part) { visit(wrap(part), data); });
}

MlirType mlopt_type_of_parts(MlirType type, intptr_t n, const MlirType *parts) {
  SmallVector<Attribute> attributes;
  SmallVector<Type> types;
  unwrap(type).walkImmediateSubElements([&](Attribute part) { attributes.push_back(part); }, [](Type) {});
  for (MlirType part : llvm::ArrayRef(parts, n))
    types.push_back(unwrap(part));
  return wrap(unwrap(type).replaceImmediateSubElements(attributes, types));
}
