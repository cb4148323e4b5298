internal import ArgumentParser

/// Where the process begins: what has to be there before the first task, then ``Scened``.
@main
enum Main {
    static func main() async {
        #if compiler(<6.4)
            EventLoopTaskExecutor.install()
        #endif
        await Scened.main()
    }
}
