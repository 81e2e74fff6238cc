/** What a run that the user ends fails with. */
export const canceled = (): Error => Object.assign(new Error('Canceled'), { name: 'AbortError' });

type Signal = { -readonly [Name in keyof AbortSignal]: AbortSignal[Name] };

/** Adds what older UXPs lack of `AbortSignal`: reasons, `throwIfAborted` and `any`. */
export function completeAbortSignal(): void {
  if (!('reason' in AbortSignal.prototype)) {
    const { abort } = AbortController.prototype;
    AbortController.prototype.abort = function (this: AbortController, reason: unknown = canceled()) {
      const signal = this.signal as Signal;
      if (!signal.aborted) signal.reason = reason;
      abort.call(this);
    };
  }
  if (!('throwIfAborted' in AbortSignal.prototype))
    (AbortSignal as { prototype: Signal }).prototype.throwIfAborted = function () {
      if (this.aborted) throw this.reason;
    };
  if (!('any' in AbortSignal))
    Object.assign(AbortSignal, {
      any(signals: readonly AbortSignal[]): AbortSignal {
        const controller = new AbortController();
        for (const signal of signals) {
          if (signal.aborted) controller.abort(signal.reason);
          signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
        }
        return controller.signal;
      },
    });
}
