import { expect, test } from 'vitest';
import { type PlaybackState, type Player, PlayerPair } from './player-pair';
import { frameAt } from './sync';

const timeline = { duration: 10, frameRate: 25 };

/** A media element whose data and seeks are under the test's control. */
class FakePlayer extends EventTarget implements Player {
  playbackRate = 1;
  muted = false;
  paused = true;
  ended = false;
  readyState = 4;
  seeking = false;
  readonly seeks: number[] = [];
  private time = 0;

  get currentTime(): number {
    return this.time;
  }

  set currentTime(time: number) {
    this.time = time;
    this.seeks.push(time);
    this.seeking = true;
  }

  advanceTo(time: number): void {
    this.time = time;
  }

  async play(): Promise<void> {
    this.paused = false;
  }

  pause(): void {
    this.paused = true;
  }

  endSeek(): void {
    this.seeking = false;
    this.dispatchEvent(new Event('seeked'));
  }
}

function createPair() {
  const leader = new FakePlayer();
  const follower = new FakePlayer();
  let shown: PlaybackState | null = null;
  let frame: (() => void) | null = null;
  const pair = new PlayerPair({
    leader,
    follower,
    timeline,
    onChange: (state) => {
      shown = state;
    },
    requestFrame: (callback) => {
      frame = callback;
      return 1;
    },
    cancelFrame: () => {
      frame = null;
    },
  });
  const nextFrame = () => {
    const callback = frame;
    frame = null;
    callback?.();
  };
  const endSeeks = () => {
    for (const player of [leader, follower]) if (player.seeking) player.endSeek();
  };
  return { leader, follower, pair, nextFrame, endSeeks, shown: () => shown };
}

test('both show the same frame after a seek and after steps', () => {
  const { leader, follower, pair, endSeeks, shown } = createPair();
  pair.seek(3.999);
  endSeeks();
  expect(leader.currentTime).toBe(follower.currentTime);
  expect(frameAt(leader.currentTime, timeline)).toBe(99);
  pair.step(1);
  endSeeks();
  pair.step(1);
  endSeeks();
  pair.step(-1);
  expect(frameAt(leader.currentTime, timeline)).toBe(100);
  expect(shown()?.time).toBeCloseTo(4.02);
});

test('a drag decodes its latest target only', () => {
  const { leader, pair, endSeeks } = createPair();
  for (const time of [1, 2, 3, 4, 5]) pair.seek(time);
  expect(leader.seeks).toHaveLength(1);
  endSeeks();
  expect(leader.seeks.map((time) => frameAt(time, timeline))).toEqual([25, 125]);
});

test('steps pressed faster than frames are decoded add up', () => {
  const { leader, pair, endSeeks } = createPair();
  pair.step(1);
  pair.step(1);
  pair.step(1);
  endSeeks();
  expect(frameAt(leader.currentTime, timeline)).toBe(3);
});

test('one that waits for data holds the other', () => {
  const { leader, follower, pair, shown } = createPair();
  pair.play();
  expect([leader.paused, follower.paused]).toEqual([false, false]);
  follower.readyState = 2;
  follower.dispatchEvent(new Event('waiting'));
  expect([leader.paused, shown()?.isWaiting, shown()?.isPlaying]).toEqual([true, true, true]);
  follower.readyState = 4;
  follower.dispatchEvent(new Event('canplay'));
  expect([leader.paused, follower.paused, shown()?.isWaiting]).toEqual([false, false, false]);
});

test('drift is corrected by the rate, and by a seek when it is large', () => {
  const { leader, follower, pair, nextFrame } = createPair();
  pair.play();
  leader.advanceTo(2);
  follower.advanceTo(2.04);
  nextFrame();
  expect(follower.playbackRate).toBeCloseTo(0.9);
  follower.advanceTo(2.001);
  nextFrame();
  expect(follower.playbackRate).toBe(1);
  follower.advanceTo(1.5);
  nextFrame();
  expect(follower.seeks).toEqual([2]);
});

test('a pause leaves both on one frame', () => {
  const { leader, follower, pair, endSeeks, shown } = createPair();
  pair.play();
  leader.advanceTo(2);
  follower.advanceTo(2.03);
  pair.pause();
  endSeeks();
  expect([leader.paused, follower.paused, shown()?.isPlaying]).toEqual([true, true, false]);
  expect(leader.currentTime).toBe(follower.currentTime);
});

test('playing again after the end starts over', () => {
  const { leader, pair, endSeeks, shown } = createPair();
  pair.play();
  leader.advanceTo(10);
  leader.ended = true;
  leader.dispatchEvent(new Event('ended'));
  endSeeks();
  expect(shown()?.isPlaying).toBe(false);
  leader.ended = false;
  pair.play();
  expect(frameAt(leader.currentTime, timeline)).toBe(0);
});

test('only the leader is heard', () => {
  const { leader, follower, pair, shown } = createPair();
  expect([leader.muted, follower.muted]).toEqual([false, true]);
  pair.setMuted(true);
  expect([leader.muted, shown()?.isMuted]).toEqual([true, true]);
});

test('where the browser forbids playback, it is shown as paused', async () => {
  const { leader, follower, pair, shown } = createPair();
  leader.play = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  pair.play();
  await new Promise((resolve) => setImmediate(resolve));
  expect([leader.paused, follower.paused, shown()?.isPlaying]).toEqual([true, true, false]);
});
