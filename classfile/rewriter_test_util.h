#ifndef YP_CLASSFILE_REWRITER_TEST_UTIL_H_
#define YP_CLASSFILE_REWRITER_TEST_UTIL_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "classfile/check.h"
#include "classfile/class_builder.h"
#include "classfile/rewriter.h"

namespace yp::classfile {

// A class before and after, with what both views look at.
struct Rewritten {
  std::vector<uint8_t> before_bytes;
  std::unique_ptr<ClassFile> before;
  RewriteResult result;
  std::unique_ptr<ClassFile> after;

  const Code& code(size_t method = 0) const { return *after->methods()[method].code; }
  ProbeOutcome outcome(size_t i = 0) const { return result.methods[i].outcome; }
  const BciMap& map(size_t i = 0) const { return result.methods[i].map; }
  std::vector<uint8_t> bytecode(size_t method = 0) const {
    return {code(method).bytecode.begin(), code(method).bytecode.end()};
  }
  std::vector<uint8_t> Table(const std::string& name) const {
    AttributeCursor cursor(after->pool(), code().attributes);
    for (Attribute a; cursor.Next(a);) {
      if (a.name == name) {
        return {a.info.begin(), a.info.end()};
      }
    }
    return {};
  }
};

template <typename AddProbes>
Rewritten Rewrite(const ClassBuilder& builder, AddProbes&& add, uint32_t huge_method_limit = 0,
                  uint16_t major = 61) {
  Rewritten r;
  r.before_bytes = builder.Build(major);
  Result<ClassFile> before = ClassFile::Parse(r.before_bytes);
  EXPECT_TRUE(before.ok()) << before.message();
  r.before = std::make_unique<ClassFile>(*before);
  Rewriter rewriter(*r.before, {{"yp/Check", "check", "site", {}, {}, "enter", "at", "leave"},
                                huge_method_limit});
  add(rewriter);
  r.result = rewriter.Finish();
  Result<ClassFile> after = ClassFile::Parse(r.result.bytes);
  EXPECT_TRUE(after.ok()) << after.message();
  const Status checked = CheckClass(*after);
  EXPECT_TRUE(checked.ok()) << checked.message();
  r.after = std::make_unique<ClassFile>(*after);
  return r;
}

// The last constant but `back` of the rewritten class.
inline uint8_t LastConstant(const Rewritten& r, int back = 0) {
  return static_cast<uint8_t>(r.after->pool().count() - 1 - back);
}

}  // namespace yp::classfile

#endif  // YP_CLASSFILE_REWRITER_TEST_UTIL_H_
