import Image from 'lucide-react/icons/image';
import { type ReactNode, useState } from 'react';
import { StageFrame } from './stage-frame';

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
