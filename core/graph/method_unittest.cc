#include "core/graph/method.h"

#include <gtest/gtest.h>

namespace yp {
namespace {

Method Named(const char* class_name, const char* name, const char* descriptor) {
  Method m;
  m.class_name = class_name;
  m.name = name;
  m.descriptor = descriptor;
  return m;
}

TEST(MethodTest, FullNameIsTheFormOfTheJsonContract) {
  EXPECT_EQ(Named("java.util.ArrayList", "add", "(Ljava/lang/Object;)Z").FullName(),
            "java.util.ArrayList.add(Ljava/lang/Object;)Z");
}

TEST(MethodTest, ALineReachesFromItsFirstBytecodeToTheNextLine) {
  Method m = Named("a.B", "c", "()V");
  m.lines = {{2, 10}, {7, 12}, {9, 11}};  // A loop: line 11 comes again after line 12.
  EXPECT_EQ(m.LineOf(2), 10);
  EXPECT_EQ(m.LineOf(6), 10);
  EXPECT_EQ(m.LineOf(7), 12);
  EXPECT_EQ(m.LineOf(9), 11);
  EXPECT_EQ(m.LineOf(65535), 11);
}

TEST(MethodTest, NoLineIsKnownBeforeTheFirstOrWithoutABytecodeOrATable) {
  Method m = Named("a.B", "c", "()V");
  EXPECT_EQ(m.LineOf(0), 0);
  m.lines = {{2, 10}};
  EXPECT_EQ(m.LineOf(1), 0);
  EXPECT_EQ(m.LineOf(kNoBci), 0);
}

TEST(MethodTableTest, IdsAreDenseInOrderOfInsertionAndFoundByFullName) {
  MethodTable table;
  EXPECT_EQ(table.Intern(Named("a.B", "c", "()V")), MethodId{0});
  EXPECT_EQ(table.Intern(Named("a.B", "c", "(I)V")), MethodId{1});
  EXPECT_EQ(table.Intern(Named("a.B", "c", "()V")), MethodId{0});
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.Find("a.B.c(I)V"), MethodId{1});
  EXPECT_EQ(table.Find("a.B.c(J)V"), kNoMethod);
  EXPECT_EQ(table[MethodId{1}].descriptor, "(I)V");
}

TEST(MethodTableTest, ALaterCopyAddsFlagsAndOnlyWhatWasMissing) {
  MethodTable table;
  Method bare = Named("a.B", "c", "()V");
  bare.flags = Method::kStatic;
  const MethodId id = table.Intern(bare);

  Method full = bare;
  full.flags = Method::kObserved;
  full.source_file = "B.java";
  full.lines = {{0, 3}};
  table.Intern(full);
  EXPECT_EQ(table[id].flags, Method::kStatic | Method::kObserved);
  EXPECT_EQ(table[id].source_file, "B.java");
  EXPECT_EQ(table[id].LineOf(0), 3);

  Method other = full;
  other.source_file = "Other.java";
  other.lines = {{0, 99}};
  table.Intern(other);
  EXPECT_EQ(table[id].source_file, "B.java");
  EXPECT_EQ(table[id].LineOf(0), 3);
}

TEST(MethodTest, ItsSourceIsInTheFolderOfItsPackage) {
  Method method = Named("a.b.C$D", "e", "()V");
  EXPECT_EQ(method.SourcePath(), "");
  method.source_file = "C.java";
  EXPECT_EQ(method.SourcePath(), "a/b/C.java");
  method.class_name = "C";
  EXPECT_EQ(method.SourcePath(), "C.java");
}

TEST(MethodTest, AFullNameTellsItsParts) {
  const Method method = MethodOfFullName("a.b.C$D.e(La/B;)V");
  EXPECT_EQ(method.class_name, "a.b.C$D");
  EXPECT_EQ(method.name, "e");
  EXPECT_EQ(method.descriptor, "(La/B;)V");
  EXPECT_EQ(MethodOfFullName("k.T$when empty.is zero (or so)()V").name, "is zero (or so)");
  EXPECT_EQ(MethodOfFullName("e(Ljava.lang.Object;)V").class_name, "");
  EXPECT_EQ(MethodOfFullName("").FullName(), ".");
}

TEST(ReadableParametersTest, NamesTypesAsInSource) {
  EXPECT_EQ(ReadableParameters("()V"), "()");
  EXPECT_EQ(ReadableParameters("(Ljava/lang/Object;[[IJ)Z"), "(Object, int[][], long)");
}

TEST(ReadableParametersTest, LeavesWhatIsNoDescriptor) {
  for (const char* text : {"", "x", "(", "([", "(Lx", "(Q)V", "(I"}) {
    EXPECT_EQ(ReadableParameters(text), text);
  }
}

}  // namespace
}  // namespace yp
