fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    mlopt_dialects::bridge::register_upstream_passes();
    mlopt_passes::register();
    let status = mlopt_dialects::bridge::opt_main(&arguments, "mlopt", "mlopt 0.1.0");
    std::process::exit(status);
}
