@main
struct SystemdProbe {
    static func main() {}
}
