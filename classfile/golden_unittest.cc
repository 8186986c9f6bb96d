// Shapes.class, rewritten in three ways, as a listing of its code and tables. YP_BLESS=1 in the
// environment writes the golden files anew; javac is not needed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "classfile/check.h"
#include "classfile/class_file.h"
#include "classfile/code_tables.h"
#include "classfile/instructions.h"
#include "classfile/invokes.h"
#include "classfile/rewriter.h"

namespace yp::classfile {
namespace {

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Prints what a table says about bytecode indices.
class TablePrinter final : public OffsetVisitor, public StackMapVisitor {
 public:
  TablePrinter(std::ostream& out, Bytes info, bool with_types)
      : out_(out), info_(info), with_types_(with_types) {}

  bool Line(size_t position, uint32_t bci) override {
    out_ << "    line " << LoadU2(&info_[position + 2]) << " at " << bci << "\n";
    return true;
  }
  bool Point(size_t, uint32_t bci) override {
    out_ << "    annotation at " << bci << "\n";
    return true;
  }
  bool Range(size_t, uint32_t start, uint32_t length) override {
    out_ << "    variable in [" << start << ", " << start + length << ")\n";
    return true;
  }
  bool Frame(uint8_t type, uint32_t bci) override {
    out_ << "    frame at " << bci << " of type " << int{type} << "\n";
    return true;
  }
  void Count(uint16_t count) override {
    if (with_types_) out_ << "      " << count << " types:\n";
  }
  bool Type(VerificationType type) override {
    constexpr const char* kNames[] = {"Top",
                                      "int",
                                      "float",
                                      "double",
                                      "long",
                                      "null",
                                      "uninitialized this",
                                      "object of class",
                                      "uninitialized"};
    if (with_types_ && type.tag != VerificationType::kUninitialized) {
      out_ << "      " << kNames[type.tag];
      if (type.tag == VerificationType::kObject) out_ << " " << type.operand;
      out_ << "\n";
    }
    if (type.tag == VerificationType::kUninitialized) {
      out_ << "      uninitialized since " << type.operand << "\n";
    }
    return true;
  }

 private:
  std::ostream& out_;
  const Bytes info_;
  const bool with_types_;
};

void PrintInstruction(const ClassFile& file, Bytes code, const Instruction& at, std::ostream& out) {
  out << "    " << at.bci << ":";
  for (uint32_t i = 0; i < at.length; ++i) {
    out << " " << int{code[at.bci + i]};
  }
  std::string separator = "  -> ";
  VisitJumps(code, at, [&](uint32_t, bool, int64_t target) {
    out << separator << target;
    separator = ", ";
    return true;
  });
  if (IsInvoke(at.opcode)) {
    const std::optional<MemberRef> callee = file.pool().Member(LoadU2(&code[at.bci + 1]));
    out << "  " << callee->owner << "." << callee->name << callee->descriptor;
  }
  out << "\n";
}

std::string Listing(const ClassFile& file, bool with_types) {
  std::ostringstream out;
  for (const Method& method : file.methods()) {
    const Code& code = *method.code;
    out << method.name << method.descriptor << ": stack " << code.max_stack << ", locals "
        << code.max_locals << "\n";
    for (uint32_t bci = 0; bci < code.bytecode.size();) {
      const Instruction at = *DecodeInstruction(code.bytecode, bci);
      PrintInstruction(file, code.bytecode, at, out);
      bci += at.length;
    }
    for (size_t i = 0; i < code.exception_table.size(); i += 8) {
      const uint8_t* entry = &code.exception_table[i];
      out << "    catch in [" << LoadU2(entry) << ", " << LoadU2(entry + 2) << ") by "
          << LoadU2(entry + 4) << "\n";
    }
    AttributeCursor cursor(file.pool(), code.attributes);
    for (Attribute attribute; cursor.Next(attribute);) {
      out << "  " << attribute.name << "\n";
      TablePrinter printer(out, attribute.info, with_types);
      if (CodeTableOf(attribute.name) == CodeTable::kStackMap) {
        EXPECT_TRUE(VisitStackMap(attribute.info, printer));
      } else {
        EXPECT_TRUE(VisitOffsets(CodeTableOf(attribute.name), attribute.info, printer));
      }
    }
  }
  return out.str();
}

enum class Probes { kEntries, kEntriesAndSites, kContexts };

void ExpectGolden(const std::string& golden, Probes probes) {
  const std::string content = ReadAll("testdata/Shapes.class");
  const Bytes bytes(reinterpret_cast<const uint8_t*>(content.data()), content.size());
  const Result<ClassFile> file = ClassFile::Parse(bytes);
  ASSERT_TRUE(file.ok()) << file.message();
  Rewriter rewriter(*file, {{"yp/Check", "check", "site", {}, {}, "enter", "at", "leave"}});
  for (uint32_t m = 0; m < file->methods().size(); ++m) {
    // From the tenth method on, ids need constants.
    const int32_t id = 32758 + static_cast<int32_t>(m);
    std::vector<ContextSite> sites;
    InvokeCursor cursor(*file, file->methods()[m]);
    for (Invoke invoke; cursor.Next(invoke);) {
      sites.push_back({invoke.bci, static_cast<int32_t>(invoke.bci)});
    }
    if (probes == Probes::kContexts) {
      rewriter.AddContextCalls(m, id, sites);
      continue;
    }
    rewriter.AddEntryCall(m, id);
    if (probes == Probes::kEntries) continue;
    for (const ContextSite& site : sites) rewriter.AddSiteCall(m, site.bci, site.site);
  }
  const RewriteResult result = rewriter.Finish();
  EXPECT_EQ(result.probed, file->methods().size());
  const Result<ClassFile> after = ClassFile::Parse(result.bytes);
  ASSERT_TRUE(after.ok()) << after.message();
  EXPECT_TRUE(CheckClass(*after).ok());
  const std::string listing = Listing(*after, probes == Probes::kContexts);
  if (std::getenv("YP_BLESS") != nullptr) {
    std::ofstream(golden, std::ios::binary) << listing;
  }
  EXPECT_EQ(listing, ReadAll(golden)) << "YP_BLESS=1 makes this the golden " << golden;
}

TEST(Golden, EntryCallsInShapes) { ExpectGolden("testdata/Shapes.entries.txt", Probes::kEntries); }

TEST(Golden, EntryAndSiteCallsInShapes) {
  ExpectGolden("testdata/Shapes.sites.txt", Probes::kEntriesAndSites);
}

TEST(Golden, ContextCallsInShapes) {
  ExpectGolden("testdata/Shapes.contexts.txt", Probes::kContexts);
}

}  // namespace
}  // namespace yp::classfile
