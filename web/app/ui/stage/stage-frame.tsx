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
export function StageFrame({ children }: { readonly children: ReactNode }) {
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
