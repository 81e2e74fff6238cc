import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { DOWNLOAD_PATH } from './downloads';

interface SelectionBarProps {
  readonly selected: readonly string[];
  readonly total: number;
  readonly isHydrated: boolean;
  readonly selectAll: (isChecked: boolean) => void;
}

export function SelectionBar({ selected, total, isHydrated, selectAll }: SelectionBarProps) {
  const { t } = useTranslation('account');
  const count = selected.length;
  const isDisabled = isHydrated && count === 0;
  return (
    <div className="sticky top-2 z-10 flex items-center justify-end gap-2 rounded-card sm:gap-3 bg-raised/95 p-2 shadow-soft backdrop-blur">
      <label
        hidden={!isHydrated}
        className="me-auto flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2.5 text-sm font-medium"
      >
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < total;
          }}
          checked={count === total}
          onChange={(event) => {
            // The form's handler reads the photos' boxes.
            event.stopPropagation();
            selectAll(event.currentTarget.checked);
          }}
          className="size-4.5 cursor-pointer accent-(--accent)"
        />
        {t('history.selectAll')}
      </label>
      <Button
        kind="quiet"
        size="small"
        type="submit"
        formAction={DOWNLOAD_PATH}
        disabled={isDisabled}
        className="min-h-11"
      >
        <Download aria-hidden className="size-4.5" />
        <ButtonText count={count}>
          {count > 0 ? t('history.downloadCount', { count }) : t('history.downloadChosen')}
        </ButtonText>
      </Button>
      <Button kind="quiet" size="small" type="submit" disabled={isDisabled} className="min-h-11">
        <Trash2 aria-hidden className="size-4.5" />
        <ButtonText count={count}>
          {count > 0 ? t('history.deleteCount', { count }) : t('history.deleteChosen')}
        </ButtonText>
      </Button>
    </div>
  );
}

function ButtonText({ count, children }: { readonly count: number; readonly children: string }) {
  return (
    <>
      <span className="max-sm:sr-only">{children}</span>
      {count > 0 && (
        <span aria-hidden className="sm:hidden">
          {count}
        </span>
      )}
    </>
  );
}
