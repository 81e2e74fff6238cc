import Play from 'lucide-react/icons/play';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Comparison } from '../viewer/comparison';
import type { Size } from '../viewer/zoom';
import { PlayerPair, STOPPED } from './player-pair';
import type { Timeline } from './sync';
import { Transport } from './transport';

export interface ComparedVideo {
  /** In seconds and frames a second; null where only the file knows them. */
  readonly duration: number | null;
  readonly frameRate: number | null;
  /** The first ones are kept: each poll signs new ones. */
  readonly beforeUrl: string;
  readonly afterUrl: string;
  readonly beforePosterUrl: string | null;
  readonly afterPosterUrl: string | null;
  readonly size: Size;
}

const NO_FACES: readonly never[] = [];

/** Seconds that an arrow key seeks. */
const KEY_SEEK = 1;
/** Used while the rate is unknown: a step moves by at most a frame of common videos. */
const DEFAULT_FRAME_RATE = 30;

/** Two players in step, with one divider and one zoom. */
export function VideoComparison({ video }: { readonly video: ComparedVideo }) {
  const { t } = useTranslation(['result', 'common']);
  const [{ beforeUrl, afterUrl, beforePosterUrl, afterPosterUrl }] = useState(video);
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLVideoElement>(null);
  const after = useRef<HTMLVideoElement>(null);
  const [loaded, setLoaded] = useState(0);
  const timeline: Timeline = {
    duration: video.duration ?? loaded,
    frameRate: video.frameRate ?? DEFAULT_FRAME_RATE,
  };
  const { state, pair } = usePlayerPair(after, before, timeline);
  const [failed, setFailed] = useState(false);
  const onError = useCallback(() => setFailed(true), []);

  const onKey = ({ key, target }: KeyboardEvent): boolean => {
    const isDivider = target instanceof HTMLInputElement;
    if (key === ' ') pair.current?.toggle();
    else if (key === ',') pair.current?.step(-1);
    else if (key === '.') pair.current?.step(1);
    else if (key === 'm') pair.current?.setMuted(!state.isMuted);
    else if ((key === 'ArrowLeft' || key === 'ArrowRight') && !isDivider)
      pair.current?.seek(state.time + (key === 'ArrowLeft' ? -KEY_SEEK : KEY_SEEK));
    else return false;
    return true;
  };

  return (
    // Safari gives a press on a button to the nearest element that takes focus.
    <div className="video-stage" data-stage tabIndex={-1}>
      <div className="video-canvas">
        <Comparison
          {...{ frame, onKey }}
          label={t('video.view')}
          size={video.size}
          faces={NO_FACES}
          beforeLabel={t('common:before')}
        >
          <VideoSide
            media={before}
            url={beforeUrl}
            posterUrl={beforePosterUrl}
            label={t('common:before')}
            name={t('video.before')}
            onError={onError}
          />
          <VideoSide
            media={after}
            url={afterUrl}
            posterUrl={afterPosterUrl}
            label={t('common:after')}
            name={t('video.after')}
            className="viewer-after"
            onError={onError}
            onDuration={setLoaded}
          />
        </Comparison>
        {state.isWaiting && <span aria-hidden className="video-waiting" />}
        {!state.isPlaying && state.time === 0 && (
          <button
            type="button"
            data-controls
            tabIndex={-1}
            aria-hidden
            className="video-start"
            onClick={() => pair.current?.play()}
          >
            <Play className="size-8 fill-current" />
          </button>
        )}
      </div>
      <Transport pair={pair} state={state} timeline={timeline} />
      {failed && (
        <p role="status" className="video-note">
          {t('video.unplayable')}
        </p>
      )}
    </div>
  );
}

interface VideoSideProps {
  readonly media: RefObject<HTMLVideoElement>;
  readonly url: string;
  readonly posterUrl: string | null;
  readonly label: string;
  readonly name: string;
  readonly className?: string;
  readonly onError: () => void;
  readonly onDuration?: (seconds: number) => void;
}

function VideoSide({ media, url, posterUrl, label, name, className = '', onError, onDuration }: VideoSideProps) {
  // The browser's controls, until scripts run.
  const [hasControls, setControls] = useState(true);
  useEffect(() => {
    setControls(false);
    // It may have been loaded before hydration, or failed.
    if (media.current?.error) onError();
    if (media.current && media.current.readyState > 0) onDuration?.(media.current.duration);
  }, [media, onError, onDuration]);
  return (
    <figure className={`viewer-side ${className}`}>
      <div className="viewer-layer">
        <video
          ref={media}
          src={url}
          {...(posterUrl ? { poster: posterUrl } : {})}
          aria-label={name}
          controls={hasControls}
          preload="auto"
          playsInline
          disablePictureInPicture
          disableRemotePlayback
          tabIndex={hasControls ? 0 : -1}
          onError={onError}
          onLoadedMetadata={({ currentTarget }) => onDuration?.(currentTarget.duration)}
        />
      </div>
      <figcaption className="compare-tag">{label}</figcaption>
    </figure>
  );
}

/** Plays the videos of two refs in step; null until they are mounted. */
function usePlayerPair(
  leader: RefObject<HTMLVideoElement | null>,
  follower: RefObject<HTMLVideoElement | null>,
  { duration, frameRate }: Timeline,
) {
  const [state, setState] = useState(STOPPED);
  const pair = useRef<PlayerPair | null>(null);
  useEffect(() => {
    if (!leader.current || !follower.current) return;
    const created = new PlayerPair({
      leader: leader.current,
      follower: follower.current,
      timeline: { duration, frameRate },
      onChange: (next) => setState((shown) => (isSame(shown, next) ? shown : next)),
      requestFrame: (callback) => requestAnimationFrame(callback),
      cancelFrame: cancelAnimationFrame,
    });
    pair.current = created;
    // The poster may be another frame.
    created.seek(0);
    return () => {
      pair.current = null;
      created.dispose();
    };
  }, [leader, follower, duration, frameRate]);
  return { state, pair };
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
