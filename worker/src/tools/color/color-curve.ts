/** Fritsch and Carlson, Monotone Piecewise Cubic Interpolation, 1980. Constant outside the points. */
export function monotoneCurve(points: readonly (readonly [x: number, y: number])[]): (x: number) => number {
  const last = points.length - 1;
  const x = (index: number) => points[index]?.[0] ?? 0;
  const y = (index: number) => points[index]?.[1] ?? 0;
  const slopes = Array.from({ length: last }, (_, at) => (y(at + 1) - y(at)) / (x(at + 1) - x(at)));
  const tangents = points.map((_, at) => {
    const before = slopes[at - 1];
    const after = slopes[at];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    // The harmonic mean stays within the limits of both neighbors.
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  return (value) => {
    if (value <= x(0)) return y(0);
    if (value >= x(last)) return y(last);
    let at = 0;
    while (at < last - 1 && value >= x(at + 1)) at++;
    const width = x(at + 1) - x(at);
    const t = (value - x(at)) / width;
    const left = (1 + 2 * t) * (1 - t) ** 2 * y(at) + t * (1 - t) ** 2 * width * (tangents[at] ?? 0);
    return left + t * t * (3 - 2 * t) * y(at + 1) + t * t * (t - 1) * width * (tangents[at + 1] ?? 0);
  };
}
