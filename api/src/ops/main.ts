import 'reflect-metadata';
import { describeError, runCommand } from './run-command.js';

runCommand(process.argv.slice(2), process.env).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: Error) => {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = 1;
  },
);
