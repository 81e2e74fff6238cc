import { DISPLAY_MAX_SIDE, MEDIUM_MAX_SIDE } from '@clearframe/contract';
import type { Size } from './zoom';

/** Files of one picture; see `DisplayImage`. */
export interface PictureFiles {
  readonly url: string;
  readonly mediumUrl?: string | null;
}

/**
 * Lets the browser choose the file for its screen: a phone loads half the bytes.
 * @param picture any size of the picture's shape, in pixels
 * @param isClose more of the picture's pixels are visible than on the stage
 */
export function sourcesOf({ url, mediumUrl }: PictureFiles, picture: Size, isClose: boolean) {
  if (!mediumUrl) return { src: url };
  const { width, height } = picture;
  const widthWithin = (side: number) => Math.round((width / Math.max(width, height)) * side);
  const large = `${widthWithin(DISPLAY_MAX_SIDE)}px`;
  return {
    // Widths of a stage without a panel beside it; with a panel the larger file is always loaded.
    sizes: isClose
      ? large
      : `(width >= 64rem) ${large}, min(100vw, (100svh - 15.25rem) * ${(width / height).toFixed(3)})`,
    // Files of small pictures have fewer pixels; the display file is still the better one.
    srcSet: `${mediumUrl} ${widthWithin(MEDIUM_MAX_SIDE)}w, ${url} ${widthWithin(DISPLAY_MAX_SIDE)}w`,
    // Last: a browser loads what it knows when it is set.
    src: url,
  };
}
