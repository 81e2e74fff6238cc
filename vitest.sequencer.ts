import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for locks to expire and for an emulator to start: begun last, the run would end with one of them alone. */
const FIRST = ['tests/faults/', 'tests/e2e/login/firebase.test.ts'];

/** Vitest's order, with the files first that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => FIRST.some((part) => moduleId.includes(part));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}
