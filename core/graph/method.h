#ifndef YP_CORE_GRAPH_METHOD_H_
#define YP_CORE_GRAPH_METHOD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace yp {

// What a profile knows of a method.
struct Method {
  struct Line {
    uint16_t bci;   // First bytecode of the line, in the class file as its author compiled it.
    uint16_t line;  // One-based.
    bool operator==(const Line&) const = default;
  };
  enum Flag : uint32_t {
    kNative = 1u << 0,
    kAbstract = 1u << 1,
    kStatic = 1u << 2,
    // The probe was in this method, so that calls of it were observed.
    kObserved = 1u << 3,
    // Left without a probe because it is trivial (see classfile/trivial.h).
    kTrivial = 1u << 4,
  };

  std::string class_name;   // Binary name with dots: "java.util.Map$Entry".
  std::string name;         // "add", "<init>", "<clinit>".
  std::string descriptor;   // "(Ljava/lang/Object;)Z".
  std::string source_file;  // "ArrayList.java"; empty when the class file does not say.
  uint32_t flags = 0;
  std::vector<Line> lines;  // Sorted by bci; empty when the class file has none.

  // The JSON contract's form: "java.util.ArrayList.add(Ljava/lang/Object;)Z".
  std::string FullName() const { return class_name + "." + name + descriptor; }
  // As in source, for people: "java.util.ArrayList.add(Object)". Not unique.
  std::string ReadableName() const;
  // Where source trees have it: "java/util/ArrayList.java". Empty when the class file does not say.
  std::string SourcePath() const;
  // The source line of a bytecode index, one-based; 0 when it is not known.
  int LineOf(int32_t bci) const;
  // The smallest line that has code; 0 when none is known.
  int FirstLine() const;
};

// "(Ljava/lang/Object;[I)Z" as "(Object, int[])"; the descriptor itself when it is malformed.
std::string ReadableParameters(std::string_view descriptor);

// The method of a full name, as far as that tells.
Method MethodOfFullName(std::string_view full_name);

// Methods by id and by full name. Ids are dense from 0 in order of insertion.
class MethodTable {
 public:
  // The id of the method of that full name; adds it when it is new. A later copy of a known method
  // adds its flags, and its lines and source file where they were missing.
  MethodId Intern(const Method& method);
  // The id of a method by its full name, or kNoMethod.
  MethodId Find(std::string_view full_name) const;
  const Method& operator[](MethodId id) const { return methods_[ToIndex(id)]; }
  size_t size() const { return methods_.size(); }
  const std::vector<Method>& methods() const { return methods_; }

 private:
  // Lets Find look up a view without copying it.
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };

  std::vector<Method> methods_;
  std::unordered_map<std::string, MethodId, NameHash, std::equal_to<>> by_name_;
};

}  // namespace yp

#endif  // YP_CORE_GRAPH_METHOD_H_
