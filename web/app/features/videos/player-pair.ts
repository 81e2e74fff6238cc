import { correctionOf, frameAt, type Timeline, timeOfFrame } from './sync';

export type Player = Pick<
  HTMLMediaElement,
  | 'currentTime'
  | 'playbackRate'
  | 'muted'
  | 'paused'
  | 'ended'
  | 'readyState'
  | 'seeking'
  | 'play'
  | 'pause'
  | 'addEventListener'
  | 'removeEventListener'
>;

export interface PlaybackState {
  /** In seconds. */
  readonly time: number;
  readonly isPlaying: boolean;
  /** Playing, but waits for data. */
  readonly isWaiting: boolean;
  readonly isMuted: boolean;
}

export const STOPPED: PlaybackState = { time: 0, isPlaying: false, isWaiting: false, isMuted: false };

/** `readyState` from which the next frame is there (HAVE_FUTURE_DATA). */
const READY = 3;
const EVENTS = ['waiting', 'stalled', 'canplay', 'playing', 'seeked', 'ended'] as const;

interface PairOptions {
  readonly leader: Player;
  readonly follower: Player;
  readonly timeline: Timeline;
  readonly onChange: (state: PlaybackState) => void;
  readonly requestFrame: (callback: () => void) => number;
  readonly cancelFrame: (handle: number) => void;
}

/** Plays two videos of the same timing in step. The leader has the sound. */
export class PlayerPair {
  private readonly options: PairOptions;
  private readonly players: readonly Player[];
  private wantsToPlay = false;
  /** Latest target of a drag, while the videos are still seeking. */
  private pendingTime: number | null = null;
  private frame: number | null = null;

  constructor(options: PairOptions) {
    this.options = options;
    const { leader, follower } = options;
    this.players = [leader, follower];
    follower.muted = true;
    for (const player of this.players)
      for (const event of EVENTS) player.addEventListener(event, this.onEvent, { passive: true });
  }

  dispose(): void {
    this.pause();
    if (this.frame !== null) this.options.cancelFrame(this.frame);
    for (const player of this.players) for (const event of EVENTS) player.removeEventListener(event, this.onEvent);
  }

  play(): void {
    const { leader, timeline } = this.options;
    if (leader.ended || frameAt(leader.currentTime, timeline) >= frameAt(timeline.duration, timeline)) this.seek(0);
    this.wantsToPlay = true;
    this.advance();
    this.schedule();
    this.report();
  }

  /** Stops both at the leader's frame. */
  pause(): void {
    const wasPlaying = this.wantsToPlay;
    this.wantsToPlay = false;
    for (const player of this.players) player.pause();
    if (wasPlaying) this.seek(this.options.leader.currentTime);
    this.report();
  }

  toggle(): void {
    if (this.wantsToPlay) this.pause();
    else this.play();
  }

  /** Shows the frame at a time. During a drag only the latest target is decoded. */
  seek(time: number): void {
    const { timeline } = this.options;
    const target = timeOfFrame(frameAt(time, timeline), timeline);
    if (this.players.some(({ seeking }) => seeking)) this.pendingTime = target;
    else this.seekNow(target);
    this.report(target);
  }

  step(frames: number): void {
    if (this.wantsToPlay) this.pause();
    const { timeline } = this.options;
    this.seek(timeOfFrame(frameAt(this.time, timeline) + frames, timeline));
  }

  setMuted(isMuted: boolean): void {
    this.options.leader.muted = isMuted;
    this.report();
  }

  private get time(): number {
    return this.pendingTime ?? this.options.leader.currentTime;
  }

  private seekNow(time: number): void {
    this.pendingTime = null;
    for (const player of this.players) {
      player.playbackRate = 1;
      player.currentTime = time;
    }
  }

  private readonly onEvent = (): void => {
    if (this.pendingTime !== null && !this.players.some(({ seeking }) => seeking)) this.seekNow(this.pendingTime);
    if (this.wantsToPlay) {
      if (this.options.leader.ended) this.pause();
      else this.advance();
    }
    this.report();
  };

  private get isReady(): boolean {
    return this.players.every(({ readyState, seeking, ended }) => (readyState >= READY || ended) && !seeking);
  }

  /** Plays both, or neither while one waits for data. */
  private advance(): void {
    for (const player of this.players) {
      if (!this.isReady) player.pause();
      else if (player.paused && !player.ended) {
        // Rejected when it is paused before it has started, and where the browser forbids it.
        player.play()?.catch((error: unknown) => this.onRefusal(error));
      }
    }
  }

  private onRefusal(error: unknown): void {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    this.wantsToPlay = false;
    for (const player of this.players) player.pause();
    this.report();
  }

  private schedule(): void {
    this.frame ??= this.options.requestFrame(() => {
      this.frame = null;
      if (!this.wantsToPlay) return;
      // Needed after a pause by the browser.
      this.advance();
      this.correct();
      this.report();
      this.schedule();
    });
  }

  private correct(): void {
    const { leader, follower, timeline } = this.options;
    if (leader.paused || follower.paused || leader.seeking || follower.seeking || follower.ended) return;
    const correction = correctionOf(follower.currentTime - leader.currentTime, timeline.frameRate);
    if (correction.kind === 'seek') follower.currentTime = leader.currentTime;
    else follower.playbackRate = correction.rate;
  }

  private report(time = this.time): void {
    const { leader, onChange, timeline } = this.options;
    onChange({
      time: Math.min(time, timeline.duration),
      isPlaying: this.wantsToPlay,
      isWaiting: this.wantsToPlay && !this.isReady,
      isMuted: leader.muted,
    });
  }
}
