# Helpers that every folder's CMakeLists.txt uses: yp_library, yp_test, yp_java_programs, yp_fuzzer.

# hotspot/arch has a folder for each, cmake/old_glibc/processor.h what glibc decides.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64)$")
  set(YP_PROCESSOR x64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(YP_PROCESSOR aarch64)
else()
  message(FATAL_ERROR "Yieldpoint is for x86-64 and aarch64, not for ${CMAKE_SYSTEM_PROCESSOR}")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Libraries are linked in where they can be: the program runs where they are not installed.
list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
# A build folder may remember the shared library from before there was a static one.
get_cmake_property(remembered CACHE_VARIABLES)
foreach(name IN LISTS remembered)
  string(REGEX REPLACE "\\.so$" ".a" static "${${name}}")
  if(name MATCHES "_LIBRARY" AND NOT static STREQUAL "${${name}}" AND EXISTS "${static}")
    unset(${name} CACHE)
  endif()
endforeach()
option(YP_FUZZERS "Build the libFuzzer targets as well (clang, with YP_SANITIZE)" OFF)
option(YP_TESTS "Build the tests" ON)
set(YP_SANITIZE "" CACHE STRING "Value for -fsanitize=, for example address,undefined")

find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED ENV{CCACHE_DISABLE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
# ccache keeps nothing that was compiled with precompiled headers, unless it is told to be sloppy.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(YP_PRECOMPILE "Precompile headers" ${precompile})

# Compiling files together takes less than half of the processor's time, as most of a file is headers.
# On the other hand, a change then has the neighbours compiled again, and no compiler notices that a
# file lacks an include: ./yp test compiles each by itself. CI does not, for lack of time.
option(YP_UNITY "Compile the files of a target together" OFF)

# Of debug information, lines are what backtraces and the sanitizers' reports need. All of it makes
# compiling a third slower.
option(YP_LINES "Debug information: lines" ON)
# The agent is linked with what is used only, function by function.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -DNDEBUG -ffunction-sections -fdata-sections")
if(YP_LINES)
  string(APPEND CMAKE_CXX_FLAGS_RELWITHDEBINFO " -g1")
endif()

add_library(yp_options INTERFACE)
target_include_directories(yp_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(yp_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                            -Wnon-virtual-dtor)
# The compiler of what users get decides; clang, by which the fuzzers are built, has others.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(yp_options INTERFACE -Werror)
  # The compiler does not collect its garbage below a gigabyte (128 MiB without): 11 to 18 % less of
  # the processor's time for a quarter more memory.
  add_compile_options("SHELL:--param ggc-min-heapsize=1000000")
else()
  target_compile_options(yp_options INTERFACE -Wno-sign-conversion)
endif()
if(YP_SANITIZE)
  # No code that a sanitizer instruments is loaded into a JVM: hotspot/ leaves these out.
  # -O1: the statistical tests take four times as long without.
  add_compile_options(-fsanitize=${YP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                      -O1 -g1)
  add_link_options(-fsanitize=${YP_SANITIZE})
endif()
# A test's own source is compiled for the compiler's speed: 12 to 27 % less than with -O1.
set(YP_TEST_OPTIONS -O0)
if(YP_SANITIZE)
  # A test says itself where it fails; a sanitizer's report names its functions. A tenth less.
  list(APPEND YP_TEST_OPTIONS -g0)
endif()
if(YP_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # What is checked at each use of a pointer takes an eighth of the time to compile, and what is
  # checked of the size of the object behind it a sixth. The address sanitizer finds a null pointer
  # and what lies outside of an object as well. Alignment is checked in libraries, which read foreign
  # bytes.
  add_compile_options(-fno-sanitize=null,object-size)
  list(APPEND YP_TEST_OPTIONS -fno-sanitize=alignment)
endif()
# Targets that are never used but for their precompiled headers, by others with the same options.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/no_source.cc CONTENT "")
if(YP_PRECOMPILE AND YP_UNITY AND YP_SANITIZE)
  # The standard headers that most groups of files include. Without a sanitizer, gcc's optimizer warns
  # of code in them that it takes for the project's own then.
  add_library(yp_library_headers STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/no_source.cc)
  target_link_libraries(yp_library_headers PRIVATE yp_options)
  target_precompile_headers(yp_library_headers PRIVATE
    <algorithm> <array> <atomic> <functional> <map> <memory> <mutex> <optional> <set> <span> <string>
    <string_view> <unordered_map> <utility> <variant> <vector>)
  target_compile_options(yp_library_headers PRIVATE -O0)
endif()
if(YP_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  if(YP_PRECOMPILE)
    add_executable(yp_test_headers EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/no_source.cc)
    target_link_libraries(yp_test_headers PRIVATE yp_options GTest::gmock GTest::gtest_main)
    target_compile_options(yp_test_headers PRIVATE ${YP_TEST_OPTIONS})
    target_precompile_headers(yp_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()

# yp_library(name SOURCES a.cc b.cc [DEPS other targets...] [IN_HANDLERS c.cc...]
#            [TESTS_COMPUTE_MUCH] [FUZZED])
# IN_HANDLERS: those of the sources that run in signal handlers and hooks. Each has an object file of
# its own, in which tools/check_handlers.py sees what they call. TESTS_COMPUTE_MUCH: the
# compiler optimizes it also with a sanitizer, which takes twice the time. FUZZED: a fuzzer sees which
# of its branches were taken.
function(yp_library name)
  cmake_parse_arguments(ARG "TESTS_COMPUTE_MUCH;FUZZED" "" "SOURCES;DEPS;IN_HANDLERS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC yp_options ${ARG_DEPS})
    if(YP_UNITY)
      set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
      set_source_files_properties(${ARG_IN_HANDLERS} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      # A file of several is none of the compiler's "main" files, where this is no mistake.
      target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    if(YP_SANITIZE AND NOT ARG_TESTS_COMPUTE_MUCH)
      target_compile_options(${name} PRIVATE -O0)
    endif()
    if(YP_FUZZERS AND ARG_FUZZED)
      target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    if(TARGET yp_library_headers AND NOT (ARG_TESTS_COMPUTE_MUCH OR ARG_FUZZED))
      target_precompile_headers(${name} REUSE_FROM yp_library_headers)
    endif()
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE yp_options ${ARG_DEPS})
  endif()
endfunction()

# yp_test(name SOURCES a_unittest.cc [DEPS ...] [LABELS unit|integration [threads]]
#         [TIMEOUT seconds] [OPTIMIZED])
# Tests run in the folder's source directory, so that testdata/ is a relative path. The label threads
# is for tests with more than one thread: the thread sanitizer finds nothing in others. OPTIMIZED:
# the test's own source is compiled like the libraries.
function(yp_test name)
  cmake_parse_arguments(ARG "OPTIMIZED" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT YP_TESTS)
    return()
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE yp_options ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  if(YP_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
  if(NOT ARG_OPTIMIZED)
    target_compile_options(${name} PRIVATE ${YP_TEST_OPTIONS})
    if(YP_PRECOMPILE)
      target_precompile_headers(${name} REUSE_FROM yp_test_headers)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# yp_python_test(name): runs the *_unittest.py files of this folder and those below, which import
# from the root of the repository.
function(yp_python_test name)
  if(NOT YP_TESTS)
    return()
  endif()
  add_test(NAME ${name}
           COMMAND python3 -B -m unittest discover -v -t ${CMAKE_SOURCE_DIR}
                   -s ${CMAKE_CURRENT_SOURCE_DIR} -p "*_unittest.py"
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS python TIMEOUT 120)
endfunction()

# yp_java_programs(name MODULE FIXTURE): a test that compiles Java programs, python3 -m MODULE OUT, for
# those that require the fixture. Sets programs to OUT.
function(yp_java_programs name module fixture)
  set(programs ${CMAKE_CURRENT_BINARY_DIR}/programs)
  add_test(NAME ${name} COMMAND python3 -B -m ${module} ${programs}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS integration FIXTURES_SETUP ${fixture} TIMEOUT 300)
  set(programs ${programs} PARENT_SCOPE)
endfunction()

# yp_fuzzer(name SOURCES x_fuzzer.cc [DEPS ...]): a libFuzzer target, built by the asan preset only;
# the target fuzzers builds all.
if(YP_FUZZERS)
  add_custom_target(fuzzers)
endif()
function(yp_fuzzer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  if(YP_FUZZERS)
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE yp_options ${ARG_DEPS})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${name})
  endif()
endfunction()
