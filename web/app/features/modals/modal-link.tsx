import { useLocation } from '@remix-run/react';
import type { MouseEvent, ReactNode } from 'react';
import { AppLink } from '../../ui/page/app-link';
import type { ModalId, ModalOutcome, ModalProps } from './catalogue';
import { modalAddressFrom } from './modal-address';
import { useModalControl } from './modals';

interface ModalLinkProps<Id extends ModalId> {
  readonly modal: Id;
  readonly with: ModalProps<Id>;
  readonly className?: string;
  readonly label?: string;
  readonly onOpen?: () => void;
  readonly onClose?: (outcome: ModalOutcome<Id>) => void;
  readonly children: ReactNode;
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** With JavaScript it opens the modal over the current page. */
export function ModalLink<Id extends ModalId>(props: ModalLinkProps<Id>) {
  const { modal, with: modalProps, className, label, onOpen, onClose, children } = props;
  const control = useModalControl();
  const address = modalAddressFrom(control.addressOf(modal, modalProps), useLocation());
  const preload = () => void control.preload(modal).catch(() => {});
  return (
    <AppLink
      to={address}
      className={className}
      aria-label={label}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => {
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        onOpen?.();
        void control.open(modal, modalProps).then(onClose);
      }}
    >
      {children}
    </AppLink>
  );
}
