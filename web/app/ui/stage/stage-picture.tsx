import Film from 'lucide-react/icons/film';
import Image from 'lucide-react/icons/image';
import { type CSSProperties, type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';

/** Width divided by height, as displayed; 0 while unknown. */
function ratioOf(media: Element | null | undefined): number {
  const [width, height] =
    media instanceof HTMLImageElement
      ? [media.naturalWidth, media.naturalHeight]
      : media instanceof HTMLVideoElement
        ? [media.videoWidth, media.videoHeight]
        : [0, 0];
  return height > 0 ? width / height : 0;
}

/** Shimmers over the picture or video in it, without the empty space beside or above; without one over the whole. */
function StageFrame({ children }: { readonly children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [ratio, setRatio] = useState(0);
  useEffect(() => setRatio(ratioOf(frame.current?.querySelector('img, video'))), []);
  const measure = ({ target }: SyntheticEvent) => {
    if (target instanceof Element) setRatio(ratioOf(target));
  };
  return (
    <div
      ref={frame}
      className="stage-picture gleam"
      onLoadCapture={measure}
      onLoadedDataCapture={measure}
      // Set by script only: the content security policy forbids style attributes.
      style={ratio > 0 ? ({ '--ratio': ratio } as CSSProperties) : undefined}
      data-sized={ratio > 0 || undefined}
    >
      {children}
    </div>
  );
}

interface StagePictureProps {
  /** URLs of the same picture, best first; those that fail to load are skipped. */
  readonly sources: readonly (string | null)[];
  readonly alt: string;
  /** Shown while there is no picture that the browser can show; default: a sign of a picture. */
  readonly placeholder?: ReactNode;
}

/** A dimmed picture in progress, where the result will be. */
export function StagePicture({ sources, alt, placeholder = <PicturePlaceholder /> }: StagePictureProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const src = sources.find((source) => source !== null && !broken.includes(source));
  return (
    <StageFrame>
      {src ? <img src={src} alt={alt} onError={() => setBroken([...broken, src])} /> : placeholder}
    </StageFrame>
  );
}

function PicturePlaceholder() {
  return <Image aria-hidden strokeWidth={1} className="stage-placeholder" />;
}

interface StageVideoProps {
  /** URL of the visitor's own file. */
  readonly src: string;
  readonly label: string;
}

/** The first frame of a video in progress, or a sign of a video where the browser can't decode it. */
export function StageVideo({ src, label }: StageVideoProps) {
  const [isDecoded, setDecoded] = useState(false);
  return (
    <StageFrame>
      {!isDecoded && <VideoPlaceholder />}
      <video
        src={src}
        muted
        playsInline
        preload="metadata"
        aria-label={label}
        onLoadedData={({ currentTarget }) => setDecoded(currentTarget.videoWidth > 0)}
      />
    </StageFrame>
  );
}

export function VideoPlaceholder() {
  return <Film aria-hidden strokeWidth={1} className="stage-placeholder" />;
}
