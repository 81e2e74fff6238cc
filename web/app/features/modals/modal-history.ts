/** The open modals, as stored in a history entry. */
interface OpenModals {
  /** Remix's history index of the underlying page. */
  readonly page: number;
  readonly keys: readonly string[];
}

interface HistoryState {
  readonly idx?: number;
  readonly modals?: OpenModals;
}

const currentState = (): HistoryState => (window.history.state as HistoryState | null) ?? {};

let popStateHandler: ((event: PopStateEvent) => void) | null = null;

/** Must run before Remix registers its listener, to hide steps between modals. */
export function interceptPopState(): void {
  window.addEventListener('popstate', (event) => popStateHandler?.(event));
}

/**
 * Keeps modals in the browser's history: each has an entry with its URL, so that Back closes it and a reload shows it
 * as a page. Steps between a page and its modals are hidden from Remix, which would reload or leave the page.
 * @param onStep called after the visitor has stepped to an entry with these open modals; false reverts the step
 */
export function createModalHistory(onStep: (keys: readonly string[]) => boolean) {
  let current: OpenModals | null = null;
  /** Resolves a pending {@link back}. */
  let onBackDone: (() => void) | null = null;
  /** Queues changes: steps in the history are asynchronous. */
  let queue: Promise<void> = Promise.resolve();

  /** Keys of the modals at the browser's current entry; null when it belongs to another page. */
  function keysAtEntry(): readonly string[] | null {
    if (!current) return null;
    const { idx, modals } = currentState();
    if (modals) {
      const isSamePage =
        modals.page === current.page && modals.keys.every((key, position) => key === current?.keys[position]);
      return isSamePage ? modals.keys : null;
    }
    return idx === current.page ? [] : null;
  }

  function onPopState(event: PopStateEvent): void {
    const keys = keysAtEntry();
    if (!current || !keys) {
      current = null;
      onBackDone?.();
      onBackDone = null;
      return;
    }
    event.stopImmediatePropagation();
    if (onBackDone) {
      current = keys.length > 0 ? { ...current, keys } : null;
      onBackDone();
      onBackDone = null;
    } else if (keys.length === current.keys.length || onStep(keys)) {
      current = keys.length > 0 ? { ...current, keys } : null;
    } else {
      window.history.go(current.keys.length - keys.length);
    }
  }

  return {
    listen(): () => void {
      popStateHandler = onPopState;
      return () => {
        if (popStateHandler === onPopState) popStateHandler = null;
      };
    },

    push(key: string, address: string): Promise<void> {
      queue = queue.then(() => {
        const page = current?.page ?? currentState().idx ?? 0;
        current = { page, keys: [...(current?.keys ?? []), key] };
        const idx = page + current.keys.length;
        // Remix stores scroll positions by `key`.
        const state = { usr: null, key: Math.random().toString(36).slice(2, 10), idx, modals: current };
        window.history.pushState(state, '', address);
      });
      return queue;
    },

    replace(key: string, address: string): void {
      if (current?.keys.at(-1) === key) window.history.replaceState(window.history.state, '', address);
    },

    /** Steps back over the entries of closed modals. */
    back(keys: readonly string[]): Promise<void> {
      queue = queue.then(
        () =>
          new Promise((resolve) => {
            const steps = current?.keys.filter((key) => keys.includes(key)).length ?? 0;
            if (steps === 0) return resolve();
            onBackDone = resolve;
            window.history.go(-steps);
          }),
      );
      return queue;
    },

    /** Drops the state after a navigation: the entries of modals are pages then. */
    reset(): void {
      current = null;
    },
  };
}
