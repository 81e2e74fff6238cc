import ImageOff from 'lucide-react/icons/image-off';
import { useEffect, useRef, useState } from 'react';

interface ThumbnailProps {
  /** Null where there is nothing to show. Every answer signs it anew: the first one is kept. */
  readonly src: string | null;
  readonly isDim: boolean;
}

/** A photo cut to a square; a sign in its place where the browser can't show it. */
export function Thumbnail({ src, isDim }: ThumbnailProps) {
  const [shown] = useState(src);
  const [isBroken, setBroken] = useState(false);
  const picture = useRef<HTMLImageElement>(null);
  // It may have failed before hydration.
  useEffect(() => {
    const { current } = picture;
    if (current?.complete && current.naturalWidth === 0) setBroken(true);
  }, []);
  if (shown === null || isBroken) {
    return (
      <span className="grid size-full place-items-center text-muted">
        <ImageOff aria-hidden className="size-8 opacity-60" />
      </span>
    );
  }
  return (
    <img
      ref={picture}
      src={shown}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className={`size-full object-cover object-[50%_25%] transition duration-200 group-hover:scale-[1.03] ${isDim ? 'opacity-60' : ''}`}
    />
  );
}
