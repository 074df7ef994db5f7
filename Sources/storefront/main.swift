import Foundation

let result = await Program.run(Array(CommandLine.arguments.dropFirst()))
print(result.output, terminator: "")
FileHandle.standardError.write(Data(result.errorOutput.utf8))
exit(result.exitCode)
