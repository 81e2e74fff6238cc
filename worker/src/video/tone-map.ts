/** Points per axis of the table. The transfer curves are perceptual, so that few suffice. */
const POINTS = 49;
/** Nits of diffuse white (ITU-R BT.2408). */
const REFERENCE_WHITE = 203;
const PQ_PEAK = 10_000;
/** Nits of the display that HLG is shown on. */
const HLG_PEAK = 1000;
const HLG_GAMMA = 1.2;
/** Luminance of linear light in BT.2020. */
const LUMA = [0.2627, 0.678, 0.0593] as const;
/** Linear BT.2020 to BT.709 (ITU-R BT.2087). */
const TO_BT709 = [
  [1.6605, -0.5876, -0.0728],
  [-0.1246, 1.1329, -0.0083],
  [-0.0182, -0.1006, 1.1187],
] as const;

/** Brightness relative to diffuse white from which highlights are compressed, and their greatest that is kept apart. */
const KNEE = 0.7;
const BRIGHTEST = 8;

type Rgb = readonly [number, number, number];

/** A table in the format of lut3d: BT.2020 with PQ or HLG to BT.709. */
export function toneMapTable(transfer: 'smpte2084' | 'arib-std-b67'): string {
  const linear = transfer === 'smpte2084' ? fromPq : fromHlg;
  const lines = [`LUT_3D_SIZE ${POINTS}`];
  const level = (index: number) => index / (POINTS - 1);
  for (let blue = 0; blue < POINTS; blue++) {
    for (let green = 0; green < POINTS; green++) {
      for (let red = 0; red < POINTS; red++) {
        const mapped = toSdr(linear([level(red), level(green), level(blue)]));
        lines.push(mapped.map((value) => value.toFixed(5)).join(' '));
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Scales all channels by brightness, so that hues stay. */
function toSdr(light: Rgb): Rgb {
  const brightness = LUMA[0] * light[0] + LUMA[1] * light[1] + LUMA[2] * light[2];
  const gain = brightness > 0 ? compress(brightness) / brightness : 1;
  const [red, green, blue] = TO_BT709.map(
    ([r, g, b]) => (r * light[0] + g * light[1] + b * light[2]) * gain,
  ) as unknown as Rgb;
  // Colors beyond the gamut move towards gray of the same brightness.
  const gray = compress(brightness);
  const least = Math.min(red, green, blue);
  const most = Math.max(red, green, blue);
  const low = least < 0 ? gray / (gray - least) : 1;
  const high = most > 1 ? (1 - gray) / Math.max(1e-6, most - gray) : 1;
  const share = Math.max(0, Math.min(1, low, high));
  return [red, green, blue].map((value) => encode(gray + (value - gray) * share)) as unknown as Rgb;
}

/** Straight up to the knee, then logarithmic to 1. */
function compress(value: number): number {
  if (value <= KNEE) return value;
  const part =
    Math.log1p((Math.min(value, BRIGHTEST) - KNEE) / (1 - KNEE)) / Math.log1p((BRIGHTEST - KNEE) / (1 - KNEE));
  return KNEE + (1 - KNEE) * part;
}

/** Inverse of a display of gamma 2.4 (ITU-R BT.1886). */
const encode = (light: number): number => Math.max(0, Math.min(1, light)) ** (1 / 2.4);

/** SMPTE ST 2084, relative to diffuse white. */
function fromPq(codes: Rgb): Rgb {
  const [m1, m2, c1, c2, c3] = [2610 / 16384, (2523 / 4096) * 128, 3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];
  return codes.map((code) => {
    const power = code ** (1 / m2);
    const light = (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
    return (light * PQ_PEAK) / REFERENCE_WHITE;
  }) as unknown as Rgb;
}

/** ARIB STD-B67 with the OOTF of ITU-R BT.2100, relative to diffuse white. */
function fromHlg(codes: Rgb): Rgb {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  const scene = codes.map((code) => (code <= 0.5 ? code ** 2 / 3 : (Math.exp((code - c) / a) + b) / 12));
  const brightness = LUMA.reduce((sum, weight, at) => sum + weight * (scene[at] ?? 0), 0);
  const gain = (brightness ** (HLG_GAMMA - 1) * HLG_PEAK) / REFERENCE_WHITE;
  return scene.map((light) => light * gain) as unknown as Rgb;
}
