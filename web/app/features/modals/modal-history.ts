/** What an entry of the browser's history says about the modals over its page. */
interface ModalMark {
  /** Place of the page beneath in the history, as Remix counts. */
  readonly page: number;
  /** Keys of the open modals that have an address, from the bottom up. */
  readonly keys: readonly string[];
}

interface HistoryState {
  readonly idx?: number;
  readonly modals?: ModalMark;
}

const currentState = (): HistoryState => (window.history.state as HistoryState | null) ?? {};

let onStepInHistory: ((event: PopStateEvent) => void) | null = null;

/**
 * Has to run before Remix starts: browsers tell of a step in the order in which they were asked to, and Remix must not
 * hear of ours.
 */
export function listenBeforeRemix(): void {
  window.addEventListener('popstate', (event) => onStepInHistory?.(event));
}

export type ModalHistory = ReturnType<typeof createModalHistory>;

/**
 * Keeps the modals over a page in the browser's history: each open one is an entry with the modal's address, so that
 * Back closes it and a reload shows it as a page. Remix does not learn of steps between a page and its modals, and so
 * neither reloads nor leaves the page beneath.
 * @param onStep the visitor has stepped to where only these modals are open; false refuses the step
 */
export function createModalHistory(onStep: (keys: readonly string[]) => boolean) {
  let mark: ModalMark | null = null;
  /** Ends the step that we made ourselves. */
  let arrive: (() => void) | null = null;
  /** Steps take time; whatever comes next has to wait for them. */
  let settled: Promise<void> = Promise.resolve();

  const place = (of: ModalMark): number => of.page + of.keys.length;

  /** The modals at the entry that the browser is at now, when its page is the one beneath ours. */
  function keysHere(): readonly string[] | null {
    if (!mark) return null;
    const { idx, modals } = currentState();
    if (modals) {
      const isOurs = modals.page === mark.page && modals.keys.every((key, position) => key === mark?.keys[position]);
      return isOurs ? modals.keys : null;
    }
    return idx === mark.page ? [] : null;
  }

  function onPopState(event: PopStateEvent): void {
    const keys = keysHere();
    if (!mark || !keys) {
      mark = null;
      arrive?.();
      arrive = null;
      return;
    }
    event.stopImmediatePropagation();
    if (arrive) {
      mark = keys.length > 0 ? { ...mark, keys } : null;
      arrive();
      arrive = null;
    } else if (keys.length === mark.keys.length || onStep(keys)) {
      mark = keys.length > 0 ? { ...mark, keys } : null;
    } else {
      window.history.go(mark.keys.length - keys.length);
    }
  }

  return {
    /** @returns what ends it */
    listen(): () => void {
      onStepInHistory = onPopState;
      return () => {
        if (onStepInHistory === onPopState) onStepInHistory = null;
      };
    },

    /** Enters the address of a modal that has been opened. */
    enter(key: string, address: string): Promise<void> {
      settled = settled.then(() => {
        const state = currentState();
        mark = mark ? { ...mark, keys: [...mark.keys, key] } : { page: state.idx ?? 0, keys: [key] };
        // A key of its own: scroll positions are remembered by it.
        const next = { usr: null, key: Math.random().toString(36).slice(2, 10), idx: place(mark), modals: mark };
        window.history.pushState(next, '', address);
      });
      return settled;
    },

    /** Gives the top modal another address. */
    rename(key: string, address: string): void {
      if (mark?.keys.at(-1) === key) window.history.replaceState(window.history.state, '', address);
    },

    /** Steps back over the entries of modals that have been closed. */
    leave(keys: readonly string[]): Promise<void> {
      settled = settled.then(
        () =>
          new Promise((resolve) => {
            const steps = mark?.keys.filter((key) => keys.includes(key)).length ?? 0;
            if (steps === 0) return resolve();
            arrive = resolve;
            window.history.go(-steps);
          }),
      );
      return settled;
    },

    /** Another page has come: what is in the history are pages now. */
    forget(): void {
      mark = null;
    },
  };
}
