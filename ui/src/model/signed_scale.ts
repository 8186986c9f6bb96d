// A scale around zero that is linear close to it and logarithmic further out, so that a gain of
// seconds and a loss of microseconds are both seen. From -1 to 1.
export class SignedScale {
  private readonly top: number;

  // `largest`: the size of what is to be at 1; `linear`: up to about here it is linear.
  constructor(largest: number, private readonly linear: number) {
    this.top = Math.log1p(Math.max(largest, linear) / linear);
  }

  at(value: number): number {
    const part = Math.log1p(Math.abs(value) / this.linear) / this.top;
    return Math.sign(value) * Math.min(1, part);
  }
}
