import ImageOff from 'lucide-react/icons/image-off';
import { useEffect, useRef, useState } from 'react';

interface ThumbnailProps {
  /** The first value is kept: every response signs a new URL for the same image. */
  readonly src: string | null;
  readonly isDim: boolean;
}

/** A photo cropped to a square, or an icon when there is none that the browser can decode. */
export function Thumbnail({ src, isDim }: ThumbnailProps) {
  const [firstSrc] = useState(src);
  const [isBroken, setBroken] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  // Loading may have failed before hydration.
  useEffect(() => {
    const { current } = image;
    if (current?.complete && current.naturalWidth === 0) setBroken(true);
  }, []);
  if (firstSrc === null || isBroken) {
    return (
      <span className="grid size-full place-items-center text-muted">
        <ImageOff aria-hidden className="size-8 opacity-60" />
      </span>
    );
  }
  return (
    <img
      ref={image}
      src={firstSrc}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className={`size-full object-cover object-[50%_25%] transition duration-200 group-hover:scale-[1.03] ${isDim ? 'opacity-60' : ''}`}
    />
  );
}
