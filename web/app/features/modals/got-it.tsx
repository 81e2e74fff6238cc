import { useTranslation } from 'react-i18next';
import { ModalActions, ModalChoice } from '../../ui/modal/modal-frame';

export function GotIt({ onChoose }: { readonly onChoose: () => void }) {
  const { t } = useTranslation();
  return (
    <ModalActions>
      <ModalChoice kind="primary" onChoose={onChoose}>
        {t('gotIt')}
      </ModalChoice>
    </ModalActions>
  );
}
