import { type RefObject, useEffect, useRef, useState } from 'react';
import { PlayerPair, STOPPED } from './player-pair';
import type { Timeline } from './sync';

/** Plays the videos of two refs in step; null until they are mounted. */
export function usePlayerPair(
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
