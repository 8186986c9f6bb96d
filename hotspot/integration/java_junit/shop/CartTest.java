package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CartTest {
  private Cart cart;

  @BeforeEach
  void makeCart() {
    cart = new Cart();
  }

  @Test
  void adds() {
    cart.add(2);
    assertEquals(2, cart.items());
  }

  @Test
  void refusesLessThanNothing() {
    assertThrows(IllegalArgumentException.class, () -> cart.add(-1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void clears(int count) {
    if (count > 1) {
      cart.add(count);
    }
    cart.clear();
  }

  @Test
  void fails() {
    cart.clear();
    throw new IllegalStateException();
  }

  @Test
  @Disabled
  void isNotRun() {}

  @Nested
  class WhenEmpty {
    @Test
    void hasNoItems() {
      assertEquals(0, cart.items());
    }
  }
}
