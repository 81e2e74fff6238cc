import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../../ui/controls/button';
import { ACCEPTED_FILES } from '../../upload/shared/file-types';
import { provideFile } from '../../upload/transfers/transfers';

interface ChooseAgainProps {
  readonly taskId: string;
  readonly name: string;
}

/** Asks for the file of an upload that a reload has interrupted. */
export function ChooseAgain({ taskId, name }: ChooseAgainProps) {
  const { t } = useTranslation('processing');
  const [isOther, setIsOther] = useState(false);
  const onChange = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (file) setIsOther(!(await provideFile(taskId, file)));
  };
  return (
    <div className="relative z-1 flex flex-col gap-2">
      <label
        className={`${buttonClass('quiet', 'small')} min-h-11 has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent`}
      >
        <input type="file" accept={ACCEPTED_FILES} className="sr-only" onChange={(event) => void onChange(event)} />
        {t('batch.states.needsFile')}
        <span className="sr-only">{name}</span>
      </label>
      {isOther && (
        <p role="alert" className="text-caption text-pretty text-on-alert">
          {t('batch.otherFile', { name })}
        </p>
      )}
    </div>
  );
}
