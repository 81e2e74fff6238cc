import Film from 'lucide-react/icons/film';
import ImageOff from 'lucide-react/icons/image-off';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ThumbnailsProps {
  /** The first URL is kept: every response signs new ones for the same image. */
  readonly src: string | null;
  /** URL of the original, to compare with. */
  readonly beforeSrc: string | null;
  readonly isDim: boolean;
  readonly isVideo: boolean;
}

const PICTURE = 'size-full object-cover object-[50%_25%] transition duration-200 group-hover:scale-[1.03]';
const ON_HOVER = 'opacity-0 group-hover:opacity-100 group-has-[a:focus-visible]:opacity-100';

/** Cropped to a square, on hover or focus the original; an icon when the browser can't decode it. */
export function Thumbnails({ src, beforeSrc, isDim, isVideo }: ThumbnailsProps) {
  const { t } = useTranslation('account');
  const after = usePicture(src);
  const before = usePicture(beforeSrc);
  if (!after) {
    return (
      <span className="grid size-full place-items-center text-muted">
        {isVideo ? (
          <Film aria-hidden className="size-8 opacity-60" />
        ) : (
          <ImageOff aria-hidden className="size-8 opacity-60" />
        )}
      </span>
    );
  }
  return (
    <>
      <img {...after} alt="" loading="lazy" decoding="async" className={`${PICTURE} ${isDim ? 'opacity-60' : ''}`} />
      {before && (
        <>
          <img
            {...before}
            alt=""
            loading="lazy"
            decoding="async"
            className={`${PICTURE} ${ON_HOVER} absolute inset-0`}
          />
          <span
            aria-hidden
            className={`${ON_HOVER} absolute start-2.5 top-2.5 rounded-full bg-raised px-3 py-1 text-caption font-medium shadow-soft transition`}
          >
            {t('history.before')}
          </span>
        </>
      )}
    </>
  );
}

/** Properties of an image; null when there is none or the browser can't decode it. */
function usePicture(src: string | null) {
  const [firstSrc] = useState(src);
  const [isBroken, setBroken] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  // Loading may have failed before hydration.
  useEffect(() => {
    const { current } = image;
    if (current?.complete && current.naturalWidth === 0) setBroken(true);
  }, []);
  if (firstSrc === null || isBroken) return null;
  return { ref: image, src: firstSrc, onError: () => setBroken(true) };
}
