import { createContext, type ReactNode, useContext } from 'react';
import { Button, buttonClass } from '../controls/button';
import { AppLink } from '../page/app-link';

/** Whether a modal's contents are over a page or a page of their own. */
export type ModalFrame =
  | { readonly mode: 'dialog'; readonly titleId: string; readonly descriptionId: string; readonly isLocked: boolean }
  | { readonly mode: 'page'; readonly backTo: string };

/** `tabs`: wide, and equally high for each tab. */
export type ModalSize = 'narrow' | 'wide' | 'tabs' | 'side';

const FrameContext = createContext<ModalFrame | null>(null);

export const ModalFrameProvider = FrameContext.Provider;

/** @throws outside of a modal */
export function useModalFrame(): ModalFrame {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error('useModalFrame needs a modal');
  return frame;
}

/** Accessible name of the modal; required. */
export function ModalTitle({ children }: { readonly children: ReactNode }) {
  const frame = useModalFrame();
  if (frame.mode === 'page') return <h1 className="text-display-sm wrap-break-word hyphens-auto">{children}</h1>;
  return (
    <h2
      id={frame.titleId}
      className="pe-12 text-2xl font-semibold tracking-tight text-balance wrap-break-word hyphens-auto"
    >
      {children}
    </h2>
  );
}

/** Accessible description of the modal, announced when it opens; required. */
export function ModalLead({ children }: { readonly children: ReactNode }) {
  const frame = useModalFrame();
  return (
    <div id={frame.mode === 'dialog' ? frame.descriptionId : undefined} className="space-y-3 text-pretty text-muted">
      {children}
    </div>
  );
}

export function ModalActions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap gap-3 pt-1">{children}</div>;
}

interface ModalChoiceProps {
  readonly kind: 'primary' | 'quiet';
  /** Set on the harmless choice of a destructive modal. */
  readonly hasInitialFocus?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** A button that closes the modal with a choice; on the modal's page a link back. */
export function ModalChoice({ kind, hasInitialFocus = false, onChoose, children }: ModalChoiceProps) {
  const frame = useModalFrame();
  if (frame.mode === 'page') {
    return (
      <AppLink to={frame.backTo} className={buttonClass(kind)}>
        {children}
      </AppLink>
    );
  }
  return (
    <Button kind={kind} onClick={onChoose} {...(hasInitialFocus ? { 'data-autofocus': '' } : {})}>
      {children}
    </Button>
  );
}

const SIZE = { width: 848, height: 320, loading: 'lazy', decoding: 'async' } as const;

/** Header image of a call to action over its own background (spec 1, section 2); made by tests/samples. */
export function ModalArt({ name }: { readonly name: string }) {
  const { mode } = useModalFrame();
  return (
    <div aria-hidden className={`modal-art ${mode === 'dialog' ? 'modal-art-bleed' : ''}`}>
      <img alt="" src={`/samples/offer-${name}-back.webp`} className="modal-art-back" {...SIZE} />
      <img alt="" src={`/samples/offer-${name}.webp`} {...SIZE} />
    </div>
  );
}
