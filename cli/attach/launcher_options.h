#ifndef YP_CLI_ATTACH_LAUNCHER_OPTIONS_H_
#define YP_CLI_ATTACH_LAUNCHER_OPTIONS_H_

// Options of the java launcher and of the JVM by what they mean to us, without a library: launch.cc
// is loaded into processes of every kind.
namespace yp {

// What follows is the option's value.
inline constexpr const char* kLauncherOptionsWithValue[] = {"-cp",
                                                            "-classpath",
                                                            "--class-path",
                                                            "-p",
                                                            "--module-path",
                                                            "--add-modules",
                                                            "--add-reads",
                                                            "--add-exports",
                                                            "--add-opens",
                                                            "--limit-modules",
                                                            "--patch-module",
                                                            "--upgrade-module-path",
                                                            "--enable-native-access",
                                                            "--source"};
// What follows is what it runs, and the program's arguments.
inline constexpr const char* kLauncherStarts[] = {"-jar", "-m", "--module"};

// With one of these flags on (-XX:+NAME), with this option, or with a file named behind that one, a
// JVM makes an archive of classes and takes no agents. JDK 11 to 25: "CDS dumping does not support
// native JVMTI agent".
inline constexpr const char* kFlagsThatRefuseAgents[] = {
    "AutoCreateSharedArchive", "RecordDynamicDumpInfo", "DumpSharedSpaces"};
inline constexpr char kOptionThatRefusesAgents[] = "-Xshare:dump";
inline constexpr char kArchiveAtExit[] = "-XX:ArchiveClassesAtExit=";

}  // namespace yp

#endif  // YP_CLI_ATTACH_LAUNCHER_OPTIONS_H_
