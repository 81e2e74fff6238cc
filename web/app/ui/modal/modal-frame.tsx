import { createContext, type ReactNode, useContext } from 'react';
import { Button, buttonClass } from '../controls/button';
import { AppLink } from '../page/app-link';

/** Where the contents of a modal stand: over a page, or as a page of their own. */
export type ModalFrame =
  | { readonly place: 'over'; readonly titleId: string; readonly descriptionId: string; readonly isLocked: boolean }
  | { readonly place: 'page'; readonly backTo: string };

const FrameContext = createContext<ModalFrame | null>(null);

export const ModalFrameProvider = FrameContext.Provider;

/** @throws outside of a modal, which is a fault in the caller */
export function useModalFrame(): ModalFrame {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error('This belongs inside a modal.');
  return frame;
}

/** The modal's name. Each modal has one. */
export function ModalTitle({ children }: { readonly children: ReactNode }) {
  const frame = useModalFrame();
  if (frame.place === 'page') return <h1 className="text-display-sm wrap-break-word hyphens-auto">{children}</h1>;
  return (
    <h2
      id={frame.titleId}
      className="pe-12 text-2xl font-semibold tracking-tight text-balance wrap-break-word hyphens-auto"
    >
      {children}
    </h2>
  );
}

/** What the modal is about, in a sentence or two: read out when it opens. Each modal has one. */
export function ModalLead({ children }: { readonly children: ReactNode }) {
  const frame = useModalFrame();
  return (
    <div id={frame.place === 'over' ? frame.descriptionId : undefined} className="space-y-3 text-pretty text-muted">
      {children}
    </div>
  );
}

/** The buttons at the end. */
export function ModalActions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap gap-3 pt-1">{children}</div>;
}

interface ModalChoiceProps {
  readonly kind: 'primary' | 'quiet';
  /** Has the focus when the modal opens: of several choices the one that does no harm. */
  readonly isFirst?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** A button that ends the modal with a choice that needs nothing done. As a page it is the link back. */
export function ModalChoice({ kind, isFirst = false, onChoose, children }: ModalChoiceProps) {
  const frame = useModalFrame();
  if (frame.place === 'page') {
    return (
      <AppLink to={frame.backTo} className={buttonClass(kind)}>
        {children}
      </AppLink>
    );
  }
  return (
    <Button kind={kind} onClick={onChoose} {...(isFirst ? { 'data-first': '' } : {})}>
      {children}
    </Button>
  );
}
