//! Symbols of machine code. The symbol of a function is its name, unless C or LLVM reserves that name.

use crate::abi::{PARALLEL_FOR, libm};
use crate::ir::*;
use std::collections::HashSet;

/// An attribute of a function whose symbol differs from its name: the name.
pub const NAME: &str = "sweep.name";

/// The functions of the C library in ISO/IEC 9899:2018, annex B, except those of `math.h` with the suffix `f` or `l`,
/// which [`is_taken`] recognises, and the symbols that linkers look up.
pub const LIBRARY: &str = "\
    _Exit _exit _fini _init _start abort abs acos acosh aligned_alloc asctime asin asinh at_quick_exit atan atan2 \
    atanh atexit atof atoi atol atoll bsearch calloc cbrt ceil clearerr clock copysign cos cosh ctime difftime div erf \
    erfc exit exp exp2 expm1 fabs fclose fdim feof ferror fflush fgetc fgets floor fma fmax fmin fmod fopen fprintf \
    fputc fputs fread free freopen frexp fscanf fseek fsetpos ftell fwrite getc getchar getenv gmtime hypot ilogb \
    isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit labs ldexp ldiv lgamma \
    llabs lldiv llrint llround localeconv localtime log log10 log1p log2 logb longjmp lrint lround main malloc mblen \
    memchr memcmp memcpy memmove memset mktime modf nan nearbyint nextafter nexttoward perror pow printf putc putchar \
    puts qsort quick_exit raise rand realloc remainder remove remquo rename rewind rint round scalbln scalbn scanf \
    setbuf setjmp setlocale setvbuf signal sin sinh snprintf sprintf sqrt srand sscanf strcat strchr strcmp strcoll \
    strcpy strcspn strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtof strtok \
    strtol strtold strtoll strtoul strtoull strxfrm system tan tanh tgamma time tmpfile tmpnam trunc ungetc vfprintf \
    vprintf vsnprintf vsprintf";

/// Keywords of C and C++ that a header cannot declare.
pub const KEYWORDS: &str = "\
    and asm auto bool break case catch char class const constexpr continue default delete do double else enum explicit \
    export extern false float for friend goto if inline int long mutable namespace new not nullptr operator or private \
    protected public register restrict return short signed sizeof static struct switch template this throw true try \
    typedef typeid typename typeof union unsigned using virtual void volatile while xor";

/// Checks whether the linker or LLVM would mistake a symbol of this name for another function.
pub fn is_taken(name: &str) -> bool {
    let is_listed = |name: &str| LIBRARY.split(' ').any(|word| word == name);
    is_listed(name)
        || name == PARALLEL_FOR
        || name.strip_suffix(['f', 'l']).is_some_and(is_listed)
        || ["__", "llvm.", "mlopt."].iter().any(|begin| name.starts_with(begin))
        || libm::symbols().iter().any(|(symbol, _)| *symbol == name)
}

/// Returns the symbol of the function `name`.
pub fn symbol(name: &str) -> String {
    if is_taken(name) { format!("mlopt.{name}") } else { name.to_string() }
}

/// Checks whether a word is a keyword of C or C++.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword == word)
}

/// Returns a name that C can declare.
pub fn identifier(name: &str) -> String {
    let id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let fits = !id.starts_with(|c: char| c.is_ascii_digit()) && !is_keyword(&id);
    if fits && !is_taken(name) { id } else { format!("mlopt_{id}") }
}

/// Gives the functions of arrays in `module` unreserved symbols. Functions whose symbol differs from their name record
/// the name.
pub fn settle(module: Op) {
    let functions = children_of(module, Kind::FuncFunc);
    let mut renamed = Vec::new();
    for op in functions.iter().filter(|op| op.attribute(crate::abi::SIGNATURE).is_some()) {
        if let Some(name) = op.symbol().filter(|name| is_taken(name)) {
            op.set_attribute(NAME, module.context().string_attr(&name));
            renamed.push((format!("{name}.sizes"), format!("{}.sizes", symbol(&name))));
            renamed.push((name.clone(), symbol(&name)));
        }
    }
    for op in functions {
        if let Some((_, new)) = op.symbol().and_then(|name| renamed.iter().find(|r| r.0 == name)) {
            op.set_attribute("sym_name", module.context().string_attr(new));
        }
    }
}

/// Reports the symbol of every function of a lowered module that is not exported under its own name.
pub fn report(module: Op) {
    for op in module.child_ops() {
        if let (Some(name), Some(symbol)) = (op.attribute(NAME).and_then(Attribute::as_string), op.symbol()) {
            let id = identifier(&name);
            let text = format!(
                "`@{name}` cannot be exported under its name, which C or the linker reserves: its symbol is \
                 `{symbol}`, and the header declares it as `{id}`"
            );
            let _said = op.warning(text).emit();
        }
    }
}

/// Rejects functions whose names `mlopt` derives from the name of another function.
pub fn check(functions: &[Op]) -> Result<()> {
    let names: HashSet<String> = functions.iter().filter_map(|op| op.symbol()).collect();
    // A declaration in the LLVM dialect is of a function that callers call.
    let defined = |op: &&Op| op.kind() != Kind::LlvmFunc || op.region(0).first_block().is_some();
    for op in functions.iter().filter(defined) {
        let name = op.symbol().unwrap_or_default();
        let ends = [".sizes", ".packed", ".sizes.packed"];
        if let Some(owner) = ends.iter().filter_map(|end| name.strip_suffix(end)).find(|owner| names.contains(*owner)) {
            let text = format!("the name `@{name}` is reserved for the interface of `@{owner}`; rename one of them");
            return Err(op.error(text).emit());
        }
    }
    Ok(())
}
