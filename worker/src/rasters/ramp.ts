/** 0 up to `from`, 1 from `to`, linear between. */
export function ramp(value: number, from: number, to: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** 0 below `from`, 1 above `to`, smooth between. */
export function smoothstep(from: number, to: number, value: number): number {
  const part = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return part * part * (3 - 2 * part);
}

/** Scale and offset of a value in a smooth step, for kernels. */
export const stepOf = ({ from, to }: { readonly from: number; readonly to: number }): [number, number] => [
  1 / (to - from),
  -from / (to - from),
];
