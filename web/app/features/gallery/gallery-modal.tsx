import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import type { ModalHandle } from '../modals/catalogue';
import { useModals } from '../modals/modals';

const CODE = { open: "open('about')", lock: 'lockUi()', release: 'release()', pop: 'pop()' };

interface GalleryModalProps {
  readonly modal: Pick<ModalHandle<'gallery:modal'>, 'close'>;
}

export function GalleryModal({ modal }: GalleryModalProps) {
  const { t } = useTranslation();
  const { open, lockUi, pop } = useModals();
  const [release, setRelease] = useState<(() => void) | null>(null);
  return (
    <>
      <ModalTitle>{t('name')}</ModalTitle>
      <ModalLead>{t('offline')}</ModalLead>
      <ModalActions>
        <Button kind="quiet" onClick={() => void open('about', { topic: 'photo' })}>
          <code>{CODE.open}</code>
        </Button>
        <Button kind="quiet" onClick={() => setRelease(() => lockUi())} disabled={release !== null}>
          <code>{CODE.lock}</code>
        </Button>
        <Button
          kind="quiet"
          disabled={release === null}
          onClick={() => {
            release?.();
            setRelease(null);
          }}
        >
          <code>{CODE.release}</code>
        </Button>
        <Button kind="quiet" onClick={pop}>
          <code>{CODE.pop}</code>
        </Button>
      </ModalActions>
      <ModalActions>
        <ModalChoice kind="primary" onChoose={() => void modal.close('yes')}>
          {t('tryAgain')}
        </ModalChoice>
        <ModalChoice kind="quiet" onChoose={() => void modal.close('no')}>
          {t('cancel')}
        </ModalChoice>
      </ModalActions>
    </>
  );
}
