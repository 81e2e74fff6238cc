import { type ModalId, type ModalProps, preventsPop } from './catalogue';

export interface ModalEntry<Id extends ModalId = ModalId> {
  readonly key: string;
  readonly id: Id;
  readonly props: ModalProps<Id>;
  /** False while fading out. */
  readonly isOpen: boolean;
  /** The element to restore the focus to. */
  readonly opener: Element | null;
}

export interface ModalStackState {
  /** Top last. */
  readonly entries: readonly ModalEntry[];
  readonly isLocked: boolean;
}

/** The modals over a page and the rules of closing them, without rendering or browser history. */
export function createModalStack() {
  let state: ModalStackState = { entries: [], isLocked: false };
  let opened = 0;
  let locks = 0;
  const listeners = new Set<() => void>();

  function change(next: Partial<ModalStackState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  const openEntries = (): readonly ModalEntry[] => state.entries.filter(({ isOpen }) => isOpen);
  const top = (): ModalEntry | undefined => openEntries().at(-1);

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: (): ModalStackState => state,
    openEntries,

    push<Id extends ModalId>(id: Id, props: ModalProps<Id>, opener: Element | null): ModalEntry<Id> {
      opened += 1;
      const entry = { key: `modal-${opened}`, id, props, isOpen: true, opener };
      change({ entries: [...state.entries, entry] });
      return entry;
    },

    change(key: string, props: ModalProps<ModalId>): void {
      change({ entries: state.entries.map((entry) => (entry.key === key ? { ...entry, props } : entry)) });
    },

    /** Closes entries; they stay listed until {@link remove}, to fade out. */
    close(keys: readonly string[]): void {
      if (keys.length === 0) return;
      change({
        entries: state.entries.map((entry) => (keys.includes(entry.key) ? { ...entry, isOpen: false } : entry)),
      });
    },

    remove(key: string): void {
      change({ entries: state.entries.filter((entry) => entry.key !== key) });
    },

    /** The top entry, if a visitor may close it. */
    dismissable(): ModalEntry | null {
      const entry = top();
      return entry && !state.isLocked && !preventsPop(entry.id) ? entry : null;
    },

    /** The top entry, if scripts may close it: locks do not apply. */
    poppable(): ModalEntry | null {
      const entry = top();
      return entry && !preventsPop(entry.id) ? entry : null;
    },

    /** Locks the stack while at least one lock is held. @returns an idempotent function that releases this lock */
    lock(): () => void {
      let isHeld = true;
      locks += 1;
      change({ isLocked: true });
      return () => {
        if (!isHeld) return;
        isHeld = false;
        locks -= 1;
        change({ isLocked: locks > 0 });
      };
    },
  };
}
