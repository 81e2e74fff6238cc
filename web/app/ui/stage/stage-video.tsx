import Film from 'lucide-react/icons/film';
import { useState } from 'react';
import { StageFrame } from './stage-frame';

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
