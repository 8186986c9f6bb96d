#include "hotspot/agent/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <jvmti.h>

#include <cstring>
#include <string>

namespace yp::hotspot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A JVM that answers what Create asks before it decides, and nothing else.
class FakeVm {
 public:
  // feature_version 0: has no JVMTI of JDK 11; below: takes no agents now.
  FakeVm(int feature_version, const char* name) {
    version_ = feature_version;
    name_ = name;
    invoke_.GetEnv = [](JavaVM*, void** environment, jint) -> jint {
      if (version_ <= 0) return version_ == 0 ? JNI_EVERSION : JNI_EDETACHED;
      *environment = &jvmti_;
      return JNI_OK;
    };
    vm_.functions = &invoke_;
    functions_.GetVersionNumber = [](jvmtiEnv*, jint* version) -> jvmtiError {
      *version = JVMTI_VERSION_INTERFACE_JVMTI | (version_ << JVMTI_VERSION_SHIFT_MAJOR);
      return JVMTI_ERROR_NONE;
    };
    functions_.GetSystemProperty = [](jvmtiEnv*, const char*, char** value) -> jvmtiError {
      *value = strdup(name_);
      return JVMTI_ERROR_NONE;
    };
    functions_.Deallocate = [](jvmtiEnv*, unsigned char* memory) -> jvmtiError {
      std::free(memory);
      return JVMTI_ERROR_NONE;
    };
    jvmti_.functions = &functions_;
  }

  std::string Refusal() {
    const Result<Agent*> agent = Agent::Create(&vm_);
    EXPECT_FALSE(agent.ok());
    EXPECT_EQ(Agent::Get(), nullptr);
    return std::string(agent.message());
  }

 private:
  static inline int version_ = 0;
  static inline const char* name_ = "";
  static inline jvmtiEnv jvmti_;
  JNIInvokeInterface_ invoke_{};
  jvmtiInterface_1_ functions_{};
  JavaVM vm_{};
};

TEST(AgentTest, RefusesAJvmThatIsTooOld) {
  EXPECT_THAT(FakeVm(0, "").Refusal(), HasSubstr("older than JDK 11; nothing is recorded"));
  EXPECT_THAT(FakeVm(9, "").Refusal(), HasSubstr("is JDK 9, older than 11; nothing is recorded"));
}

TEST(AgentTest, SaysWhenAJvmTakesNoAgentsNow) {
  EXPECT_THAT(FakeVm(-1, "").Refusal(), HasSubstr("at this moment"));
}

TEST(AgentTest, RefusesAJvmThatIsNotHotSpotByItsName) {
  const std::string refusal = FakeVm(17, "Eclipse OpenJ9 VM").Refusal();
  EXPECT_THAT(refusal, HasSubstr("Eclipse OpenJ9 VM"));
  EXPECT_THAT(refusal, HasSubstr("is not HotSpot; nothing is recorded"));
  EXPECT_THAT(refusal, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace yp::hotspot
