/** CIELAB under D65, and CIEDE2000, where 1 is barely visible. */
export type CieLab = readonly [l: number, a: number, b: number];

const WHITE = [0.95047, 1, 1.08883] as const;

/** Converts sRGB codes of 0..255. */
export function cieLab(red: number, green: number, blue: number): CieLab {
  const light = (code: number) => (code / 255 <= 0.04045 ? code / 255 / 12.92 : ((code / 255 + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = [light(red), light(green), light(blue)];
  const curve = (value: number) => (value > 216 / 24389 ? Math.cbrt(value) : (841 / 108) * value + 4 / 29);
  const x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / WHITE[0]);
  const y = curve((0.2126729 * r + 0.7151522 * g + 0.072175 * b) / WHITE[1]);
  const z = curve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / WHITE[2]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const degrees = (radians: number) => (radians * 180) / Math.PI;
const cosine = (angle: number) => Math.cos((angle * Math.PI) / 180);
const sine = (angle: number) => Math.sin((angle * Math.PI) / 180);
const hue = (a: number, b: number) => (a === 0 && b === 0 ? 0 : (degrees(Math.atan2(b, a)) + 360) % 360);

/** CIE 142-2001, with all parametric factors 1. */
export function deltaE00([l1, a1, b1]: CieLab, [l2, a2, b2]: CieLab): number {
  const seventh = (value: number) => Math.sqrt(value ** 7 / (value ** 7 + 25 ** 7));
  const stretch = 1 + 0.5 * (1 - seventh((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const [h1, h2] = [hue(a1 * stretch, b1), hue(a2 * stretch, b2)];
  const gray = c1 * c2 === 0;
  const turn = gray ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const deltaHue = 2 * Math.sqrt(c1 * c2) * sine(turn / 2);
  const l = (l1 + l2) / 2;
  const c = (c1 + c2) / 2;
  const h = gray ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63);
  const rotation = -2 * seventh(c) * sine(60 * Math.exp(-(((h - 275) / 25) ** 2)));
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * c);
  const hues = deltaHue / (1 + 0.015 * c * t);
  return Math.sqrt(lightness ** 2 + chroma ** 2 + hues ** 2 + rotation * chroma * hues);
}

/** Mean difference of two sRGB pictures over every `step`th pixel. */
export function meanDeltaE00(one: ArrayLike<number>, other: ArrayLike<number>, step = 7): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at + 2 < one.length; at += 3 * step, count++) {
    const [a, b] = [one, other].map((p) => cieLab(p[at] ?? 0, p[at + 1] ?? 0, p[at + 2] ?? 0)) as [CieLab, CieLab];
    sum += deltaE00(a, b);
  }
  return sum / count;
}
