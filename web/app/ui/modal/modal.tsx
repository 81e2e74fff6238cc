import X from 'lucide-react/icons/x';
import { Dialog } from 'radix-ui';
import { type ReactNode, useId, useMemo } from 'react';
import { ModalFrameProvider, type ModalSize } from './modal-frame';

interface ModalDialogProps {
  /** False while fading out. */
  readonly isOpen: boolean;
  /** Modals below the top one are inert and invisible, until it closes. */
  readonly isTop: boolean;
  /** Disables the close button during an operation. */
  readonly isLocked: boolean;
  /** Null hides the close button. */
  readonly closeLabel: string | null;
  readonly size: ModalSize;
  readonly onDismiss: () => void;
  /** Called after fading out, to restore the focus. */
  readonly onClosed: () => void;
  readonly children: ReactNode;
}

export function ModalDialog(props: ModalDialogProps) {
  const { isOpen, isTop, isLocked, closeLabel, size, onDismiss, onClosed, children } = props;
  const isCovered = isOpen && !isTop;
  const id = useId();
  const titleId = `${id}title`;
  const descriptionId = `${id}description`;
  const frame = useMemo(
    () => ({ mode: 'dialog', titleId, descriptionId, isLocked }) as const,
    [titleId, descriptionId, isLocked],
  );
  return (
    <Dialog.Root open={isOpen}>
      <Dialog.Portal>
        {/* Not Dialog.Overlay: its scroll lock adds a style element, which the content security policy forbids. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: with the keyboard, Escape and a button close it */}
        <div
          role="presentation"
          className="modal-backdrop"
          data-state={isOpen ? 'open' : 'closed'}
          data-covered={isCovered || undefined}
          // The second press of a double-click is meant for the opener below.
          onClick={({ detail }) => isTop && detail < 2 && onDismiss()}
        />
        <Dialog.Content
          className={`modal modal-${size}`}
          aria-labelledby={titleId}
          aria-describedby={descriptionId}
          aria-busy={isLocked || undefined}
          data-covered={isCovered || undefined}
          {...(isCovered ? { inert: '' } : {})}
          onEscapeKeyDown={(event) => {
            // The modal below receives the same event while this one fades out.
            if (event.defaultPrevented) return;
            event.preventDefault();
            onDismiss();
          }}
          onOpenAutoFocus={(event) => {
            const first =
              event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('[data-autofocus]');
            if (!(first instanceof HTMLElement)) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
        >
          <ModalFrameProvider value={frame}>{children}</ModalFrameProvider>
          {closeLabel !== null && (
            <button
              type="button"
              aria-label={closeLabel}
              aria-disabled={isLocked || undefined}
              onClick={onDismiss}
              className="absolute end-4 top-4 grid size-11 cursor-pointer place-items-center rounded-full text-muted transition hover:bg-raised-strong hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40"
            >
              <X aria-hidden className="size-5" />
            </button>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
