/** Planar 4:2:0 in 8 bits, limited range: luma, then both color planes of half the size. Even sides. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** Seconds. */
  readonly time: number;
}

export const frameBytes = (width: number, height: number): number => (width * height * 3) / 2;

export const lumaOf = ({ width, height, data }: Frame): Uint8Array => data.subarray(0, width * height);
