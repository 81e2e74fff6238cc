import type { ReactNode } from 'react';
import { ResultDetails } from './result-details';
import { Stage, type StageProps } from './stage';

interface ResultProps extends Omit<StageProps, 'panel' | 'undo' | 'share' | 'before'> {
  readonly notice: ReactNode;
}

/** A finished picture with its tools. */
export function Result(props: ResultProps) {
  const { task } = props;
  return <Stage {...props} panel={<ResultDetails fileName={task.fileName} output={task.output} />} />;
}
