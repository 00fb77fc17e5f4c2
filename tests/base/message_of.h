// The message of the InputError that `act` throws; a failed expectation if it throws none.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace paceline {

template <class Act>
std::string message_of(Act act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError was thrown";
  return "";
}

}  // namespace paceline
