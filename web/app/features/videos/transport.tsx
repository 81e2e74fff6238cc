import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import StepBack from 'lucide-react/icons/step-back';
import StepForward from 'lucide-react/icons/step-forward';
import Volume2 from 'lucide-react/icons/volume-2';
import VolumeX from 'lucide-react/icons/volume-x';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import type { PlaybackState, PlayerPair } from './player-pair';
import { formatTimecode, frameAt, type Timeline, timeOfFrame } from './sync';

interface TransportProps {
  readonly pair: RefObject<PlayerPair | null>;
  readonly state: PlaybackState;
  readonly timeline: Timeline;
}

export function Transport({ pair, state, timeline }: TransportProps) {
  const { t } = useTranslation('result');
  const { time, isPlaying, isMuted } = state;
  const { duration } = timeline;
  // Whole numbers: the browser rounds a value to a step, and reports it as a change.
  const frame = frameAt(time, timeline);
  const bar = useRef<HTMLInputElement>(null);
  // Set by script: the content security policy forbids style attributes.
  useEffect(
    () => bar.current?.style.setProperty('--filled', `${duration > 0 ? (time / duration) * 100 : 0}%`),
    [time, duration],
  );
  const spoken = t('video.position', { time: formatTimecode(time), duration: formatTimecode(duration) });
  return (
    <div role="toolbar" aria-label={t('video.controls')} data-controls className="video-transport" dir="ltr">
      <input
        ref={bar}
        type="range"
        aria-label={t('video.seek')}
        aria-valuetext={spoken}
        className="slider video-scrub"
        min={0}
        max={frameAt(duration, timeline)}
        value={frame}
        onChange={({ currentTarget }) => pair.current?.seek(timeOfFrame(Number(currentTarget.value), timeline))}
        onKeyDown={(event) => {
          if (event.key === ' ') pair.current?.toggle();
          else if (event.key === ',') pair.current?.step(-1);
          else if (event.key === '.') pair.current?.step(1);
          else return;
          event.preventDefault();
        }}
      />
      <IconButton label={t(isPlaying ? 'video.pause' : 'video.play')} onClick={() => pair.current?.toggle()}>
        {isPlaying ? (
          <Pause aria-hidden className="size-5 fill-current" />
        ) : (
          <Play aria-hidden className="size-5 fill-current" />
        )}
      </IconButton>
      <IconButton label={t('video.previousFrame')} onClick={() => pair.current?.step(-1)}>
        <StepBack aria-hidden className="size-5" />
      </IconButton>
      <IconButton label={t('video.nextFrame')} onClick={() => pair.current?.step(1)}>
        <StepForward aria-hidden className="size-5" />
      </IconButton>
      <p className="px-2 text-sm tabular-nums">
        <span aria-hidden>{`${formatTimecode(time)} / ${formatTimecode(duration)}`}</span>
        <span className="sr-only">{t('video.frame', { frame: frame + 1 })}</span>
      </p>
      <IconButton
        label={t(isMuted ? 'video.unmute' : 'video.mute')}
        onClick={() => pair.current?.setMuted(!isMuted)}
        className="ms-auto"
      >
        {isMuted ? <VolumeX aria-hidden className="size-5" /> : <Volume2 aria-hidden className="size-5" />}
      </IconButton>
    </div>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

function IconButton({ label, onClick, className, children }: IconButtonProps) {
  return (
    <Button kind="ghost" size="icon" title={label} onClick={onClick} className={className}>
      {children}
      <span className="sr-only">{label}</span>
    </Button>
  );
}
