import { SetupDialog, type SetupDialogProps } from '../SetupDialog.tsx';

interface Act<Input> {
  run: (input: Input) => void;
  isRunning: boolean;
  error: unknown;
}

type FormProps<Draft extends object, Facts> = Pick<
  SetupDialogProps<Draft, Facts>,
  'schema' | 'toInput' | 'fieldNames' | 'inWords' | 'onClose' | 'children'
>;

interface SetupEditorProps<Row, Draft extends object, Facts> extends FormProps<Draft, Facts> {
  /** 'course' */
  thing: string;
  /** The row as it is now. Null for a new one. */
  row: Row | null;
  nameOf: (row: Row) => string;
  draftOf: (row: Row) => Draft;
  blank: Draft;
  create: Act<{ body: Facts }>;
  update: Act<{ params: { id: string }; body: Facts & { version: number } }>;
}

/** Adds or edits one of the things that Programme Setup keeps. */
export function SetupEditor<Row extends { id: string; version: number }, Draft extends object, Facts>(
  props: SetupEditorProps<Row, Draft, Facts>,
) {
  const { thing, row, nameOf, draftOf, blank, create, update, ...form } = props;
  const draft = row ? draftOf(row) : blank;
  const { isRunning, error } = row ? update : create;
  return (
    <SetupDialog
      {...form}
      title={row ? `Edit ${nameOf(row)}` : `Add ${thing}`}
      saveLabel={row ? `Save ${thing}` : `Add ${thing}`}
      initial={draft}
      current={row ? { draft, version: row.version } : undefined}
      saving={{
        isRunning,
        error,
        run: (facts, version) =>
          row && version !== null
            ? update.run({ params: { id: row.id }, body: { ...facts, version } })
            : create.run({ body: facts }),
      }}
    />
  );
}
