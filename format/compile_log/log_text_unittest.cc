#include "format/compile_log/log_text.h"

#include <gtest/gtest.h>

namespace yp::compile_log {
namespace {

TEST(LogTextTest, EntitiesAndQuotedCharactersAreDecoded) {
  EXPECT_EQ(Decoded("&lt;init&gt; &amp;&quot;&apos;"), "<init> &\"'");
  EXPECT_EQ(Decoded("Gr\\u00f6\\u20ac"), "Grö€");
  EXPECT_EQ(Decoded("\\ud83d\\ude00"), "😀");
  EXPECT_EQ(Decoded("\\u0041"), "A");
}

TEST(LogTextTest, WhatIsNoEntityStaysAsItIs) {
  for (const std::string text : {"", "&", "&nbsp;", "a\\b", "\\u12", "\\uzzzz", "\\ud83d",
                                 "\\ud83d\\u0041", "\\ude00", "plain"}) {
    const std::string expected = text == "\\ud83d\\u0041" ? "\\ud83dA" : text;
    EXPECT_EQ(Decoded(text), expected);
  }
}

TEST(LogTextTest, StampsAreExact) {
  EXPECT_EQ(NanosOfStamp("0.072"), 72'000'000);
  EXPECT_EQ(NanosOfStamp("12345678.901"), 12'345'678'901'000'000);
  EXPECT_EQ(NanosOfStamp("1"), 1'000'000'000);
  EXPECT_EQ(NanosOfStamp("1."), 1'000'000'000);
  EXPECT_EQ(NanosOfStamp("0.1234567899"), 123'456'789);
  EXPECT_EQ(NanosOfStamp("0,171"), 171'000'000) << "a German JVM's";
  EXPECT_EQ(NanosOfStamp("0٫171"), 171'000'000) << "an Egyptian one's";
}

TEST(LogTextTest, WhatIsNoStampIsNothing) {
  for (const std::string_view text : {"", ".5", "-1.0", "1;5", "1.5x", "1,5x", "1.,5", "1.-5",
                                      "nan", "9223372036.999", "99999999999999999999"}) {
    EXPECT_EQ(NanosOfStamp(text), std::nullopt) << text;
  }
}

TEST(LogTextTest, TypesAreNamedAsInDescriptors) {
  EXPECT_EQ(DescriptorOf("int"), "I");
  EXPECT_EQ(DescriptorOf("void"), "V");
  EXPECT_EQ(DescriptorOf("java.lang.String"), "Ljava/lang/String;");
  EXPECT_EQ(DescriptorOf("[[B"), "[[B");
  EXPECT_EQ(DescriptorOf("[Ljava.lang.String;"), "[Ljava/lang/String;");
}

TEST(LogTextTest, MethodsAreNamedInFull) {
  EXPECT_EQ(FullNameOf("java.lang.Object <init> ()V"), "java.lang.Object.<init>()V");
  EXPECT_EQ(FullNameOf("a.Test adds two (and two) (I)I"), "a.Test.adds two (and two)(I)I");
  EXPECT_EQ(FullNameOf("a.B$$Lambda$3/0x00007fa1 apply (I)I"), "a.B$$Lambda.apply(I)I");
  ClassNames classes;
  for (const char* name : {"k.T$when empty", "k.T$when", "k.T$when empty and"}) classes.Add(name);
  EXPECT_EQ(FullNameOf("k.T$when empty size is (zero) (I)I", classes),
            "k.T$when empty.size is (zero)(I)I");
  EXPECT_EQ(FullNameOf("k.Other size is zero ()V", classes), "k.Other.size is zero()V");
  for (const std::string_view text : {"", "a", "a b", "a (I)I", " b (I)I"}) {
    EXPECT_EQ(FullNameOf(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace yp::compile_log
