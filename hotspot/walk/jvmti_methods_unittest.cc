#include "hotspot/walk/jvmti_methods.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace yp::hotspot {
namespace {

TEST(ReportedClassNameTest, IsTheProgramsOwnNameWithDots) {
  EXPECT_EQ(ReportedClassName("Lapp/Main;"), "app.Main");
  EXPECT_EQ(ReportedClassName("LMain$Inner$1;"), "Main$Inner$1");
  EXPECT_EQ(ReportedClassName("Lapp/Main$0x;"), "app.Main$0x");
}

TEST(ReportedClassNameTest, LeavesOutWhatDiffersFromRunToRun) {
  const std::pair<std::string, std::string> names[] = {
      {"Lapp/Main$$Lambda$14+0x0000000800c03000;", "app.Main$$Lambda"},
      {"Lapp/Main$$Lambda$14.0x0000000800c03000;", "app.Main$$Lambda"},
      {"Lapp/Main$$Lambda+0x00007f0c2c000a08;", "app.Main$$Lambda"},
      {"Lapp/Main$$Lambda.0x00007f0c2c000a08;", "app.Main$$Lambda"},
      {"Lapp/Hidden.0x00007f0c2c000a08;", "app.Hidden"},
      {"Ljdk/internal/reflect/GeneratedMethodAccessor17;",
       "jdk.internal.reflect.GeneratedMethodAccessor"},
      {"Ljdk/internal/reflect/GeneratedConstructorAccessor2;",
       "jdk.internal.reflect.GeneratedConstructorAccessor"},
      {"Ljdk/internal/reflect/DirectMethodHandleAccessor;",
       "jdk.internal.reflect.DirectMethodHandleAccessor"},
  };
  for (const auto& [signature, name] : names) EXPECT_EQ(ReportedClassName(signature), name);
}

TEST(IsHiddenGlueTest, IsWhatJavasStackTracesHide) {
  for (const std::string signature :
       {"Ljava/lang/invoke/LambdaForm$MH;", "Ljava/lang/invoke/LambdaForm$DMH.0x000070;",
        "Ljava/lang/invoke/DirectMethodHandle$Holder;", "Ljava/lang/invoke/Invokers$Holder;",
        "Ljava/lang/invoke/DelegatingMethodHandle$Holder;", "Ljava/lang/invoke/VarHandleGuards;",
        "Ljava/lang/invoke/MethodHandle;", "Lapp/Main$$Lambda$14+0x0000000800c03000;"}) {
    EXPECT_TRUE(IsHiddenGlue(signature)) << signature;
  }
}

TEST(IsHiddenGlueTest, IsNotWhatMerelySoundsLikeIt) {
  for (const std::string signature :
       {"Lapp/Main;", "Lapp/LambdaForm;", "Lapp/invoke/MethodHandle;",
        "Ljava/lang/invoke/LambdaMetafactory;", "Ljava/lang/invoke/CallSite;",
        "Ljdk/internal/reflect/DirectMethodHandleAccessor;", "Lapp/Lambda;"}) {
    EXPECT_FALSE(IsHiddenGlue(signature)) << signature;
  }
}

}  // namespace
}  // namespace yp::hotspot
