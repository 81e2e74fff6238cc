/** In pixels of a document; right and bottom are outside. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const widthOf = ({ left, right }: Bounds): number => Math.max(0, right - left);
export const heightOf = ({ top, bottom }: Bounds): number => Math.max(0, bottom - top);
export const areaOf = (bounds: Bounds): number => widthOf(bounds) * heightOf(bounds);
export const boundsOf = ({ width, height }: Size): Bounds => ({ left: 0, top: 0, right: width, bottom: height });

/** What two bounds share; null where they share nothing. */
export function overlapOf(a: Bounds, b: Bounds): Bounds | null {
  const shared = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
  return areaOf(shared) > 0 ? shared : null;
}
