import { type ReactNode, useState } from 'react';

interface DimmedPictureProps {
  /** A plain dark background when null or undecodable. */
  readonly src: string | null;
  readonly alt: string;
  readonly children: ReactNode;
}

/** A dark picture with text over it, which fills its container. */
export function DimmedPicture({ src, alt, children }: DimmedPictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <div data-theme="dark" className="relative grid h-full w-full grid-cols-1 overflow-hidden bg-ground text-ink">
      {src && src !== broken && (
        <div className="gleam absolute inset-0">
          <img
            src={src}
            alt={alt}
            onError={() => setBroken(src)}
            className="size-full object-cover object-[50%_22%] opacity-55"
          />
        </div>
      )}
      <div className="relative flex items-end bg-linear-to-t from-black/80 via-black/35 to-transparent p-6 sm:p-8">
        {children}
      </div>
    </div>
  );
}
