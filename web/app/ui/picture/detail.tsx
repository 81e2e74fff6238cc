interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface PictureDetail {
  /** Size of the picture, in pixels of the box; a file may have another resolution. */
  readonly size: Size;
  readonly box: Box;
}

interface DetailProps extends PictureDetail {
  readonly url: string;
  readonly className?: string;
  readonly onError?: () => void;
}

/** Side of the shown square, relative to the box. */
const MARGIN = 1.6;
/** Smallest part that is shown, as a share of the picture's short side: less would be blurred. */
const LEAST = 0.2;

/** A square part of a picture, without a text alternative. */
export function Detail({ url, size, box, className, onError }: DetailProps) {
  return (
    <svg aria-hidden viewBox={around(box, size)} className={className}>
      <image href={url} {...size} onError={onError} />
    </svg>
  );
}

/** The square around the box, within the picture, as an SVG view box. */
function around(box: Box, { width, height }: Size): string {
  const short = Math.min(width, height);
  const side = Math.min(short, Math.max(Math.max(box.width, box.height) * MARGIN, short * LEAST));
  const start = (from: number, length: number, whole: number) =>
    Math.min(Math.max(0, from + (length - side) / 2), whole - side);
  return [start(box.x, box.width, width), start(box.y, box.height, height), side, side].map(Math.round).join(' ');
}
