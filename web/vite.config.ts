import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, parseSync, type Rolldown } from 'vite';

// They all know light-dark() in style sheets, which is otherwise rewritten into variables that nothing sets.
const browsersWithLightDark = ['chrome123', 'firefox120', 'safari17.5'];

// What the sign-in shares with signed-in screens: acts, their toasts, reads. Then what it shares with those that have forms.
const ofBase =
  /[\\/](toast\.tsx|use-action\.ts|Loaded\.tsx|PageHeader\.tsx|(use-merged-ref|use-uncontrolled|use-force-update|DirectionProvider|ActionIcon|Divider|key-round)\.mjs)$/;
const ofForms = /[\\/](use-form\.ts|text-limit\.ts|TextInput\.mjs)$/;
// The frame of every signed-in screen with the looks of all of them, and what at least two dashboards show.
const ofFrame =
  /[\\/](app[\\/](SignedInLayout|DashboardPage)\.tsx|ui[\\/](StatCard|Meter|StatusBadge|DateTime|AddToCalendar)\.tsx|(HomePanel|FirstSteps)\.tsx|picture[\\/]keep\.ts|first-steps\.ts|JoinButton\.tsx|contract[\\/]home\.ts|Grid\.mjs|icons[\\/]lock\.mjs)$|\.css$/;
// What opens over a screen.
const ofOverlays = /[\\/](Popover|Tooltip|Modal)\.mjs$/;

/**
 * One file a route would ask for up to a hundred small ones that it shares with others, each a request. The first
 * screens are cut by hand: what everybody starts with, the sign-in, the frame of all signed-in screens, the dashboards.
 * The other routes' shared parts are put together by who shares them, up to a size at which hardly anything is read
 * that a route does not need. A file holds what it names and all that this needs, unless one above it does.
 */
const fewFiles: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'first', test: /web[\\/]first\.ts$/ },
    { name: 'start', tags: ['$initial'] },
    { name: 'base', test: ofBase },
    { name: 'forms', test: ofForms },
    { name: 'sign-in', test: /[\\/]LoginPage\.tsx$/ },
    { name: 'frame', test: ofFrame },
    { name: 'tables', test: /[\\/](DataTable|TextInRow)\.tsx$/ },
    { name: 'overlays', test: ofOverlays },
    { name: 'toasts', test: /[\\/]Toasts\.tsx$/ },
    { name: 'second-factor', test: /[\\/]SecondFactorForm\.tsx$/ },
    { name: 'dialogs', test: /[\\/](SignInSteps|FreshProofForm)\.tsx$/ },
    // It comes with the first chart that is in sight.
    { name: 'charts', test: /[\\/]ui[\\/](ChartFigure|BarChart|chart-looks)\.tsx$/ },
    {
      name: 'home',
      test: /[\\/]features[\\/]home[\\/]\w+DashboardPage\.tsx$/,
      entriesAware: true,
      entriesAwareMergeThreshold: 9_000,
    },
    { name: 'passwords', test: /[\\/]NewPasswordForm\.tsx$/ },
    // Apart, or two of the shared files would need each other.
    { name: 'switch', test: /components[\\/]Switch[\\/]/ },
    // Apart, or what long texts are written in and what lists are searched with would need each other.
    { name: 'composer', test: /Composer\.tsx$/ },
    { name: 'typing', test: /[\\/](NumberInput\.mjs|written-text\.ts)$/ },
    // Apart, or what shares a small part with a screen of formatted texts would bring this large one along.
    { name: 'formatted', test: /[\\/]WrittenText\.tsx$/ },
    // Apart, or what admins write in Programme Setup and the reports of imports would need each other in a circle.
    { name: 'programmes', test: /contract[\\/]programmes\.ts$/ },
    { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 15_000 },
  ],
};

/**
 * The browser makes no JSON Schema of a schema, and contract/validation-words.ts has a sentence for everything that can be
 * wrong. No schema is recursive. Without what each kind of schema has for these, and for words of its own, they fall away.
 */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts-of-zod',
  transform: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
    handler: (code) =>
      code
        .replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
        .replace(/^ *_ensureDefault(Locale|Memoizer)\(\);$/gm, '')
        .replace(/create(Standard|To)JSONSchemaMethod\(this, .*?\)/g, 'undefined'),
  },
};

/**
 * Nothing in the browser looks at the schema of an answer, because the server has checked it. A schema of the contract that
 * nobody uses then falls away, because making it does nothing else.
 */
const withoutUnusedSchemas: Plugin = {
  name: 'without-unused-schemas-of-the-contract',
  transform: {
    filter: { id: /[\\/]contract[\\/][\w-]+\.ts$/ },
    handler(code, id) {
      const made = parseSync(id, code).program.body.flatMap((statement) => {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        return declared?.type === 'VariableDeclaration' ? declared.declarations.flatMap(({ init }) => init ?? []) : [];
      });
      const changes = made.flatMap((call) => {
        if (call.type !== 'CallExpression') return [];
        const { callee, start, end } = call;
        const [given] = call.arguments;
        const isEndpoint = callee.type === 'Identifier' && callee.name === 'endpoint';
        const parts = isEndpoint && given?.type === 'ObjectExpression' ? given.properties : [];
        const answers = parts.flatMap((part) =>
          part.type === 'Property' && part.key.type === 'Identifier' && part.key.name === 'response' ? part.value : [],
        );
        return [
          { start, end: start, text: '/*@__PURE__*/ (() => ' },
          ...answers.map((schema) => ({ start: schema.start, end: schema.end, text: 'undefined' })),
          { start: end, end, text: ')()' },
        ];
      });
      return changes.reduceRight((left, { start, end, text }) => left.slice(0, start) + text + left.slice(end), code);
    },
  },
};

/** The icon is smaller than what a request of its own would add. */
const withIcon: Plugin = {
  name: 'page-has-its-icon',
  apply: 'build',
  transformIndexHtml: (page) => {
    const icon = readFileSync(`${import.meta.dirname}/public/favicon.svg`, 'utf8').trim();
    return page.replace(
      'href="/favicon.svg"',
      `href="data:image/svg+xml,${icon.replaceAll('"', "'").replaceAll('#', '%23')}"`,
    );
  },
};

const script = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
/** The page begins with first.ts, which runs the app's file. */
const withFirst: Plugin = {
  name: 'page-begins-with-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(page, { bundle }) {
      const first = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === 'first');
      if (!first || !script.test(page)) throw new Error('The page has no place for first.ts.');
      const address = `/${first?.fileName}`;
      return page.replace(`    <link rel="modulepreload" crossorigin href="${address}">\n`, '').replace(
        script,
        `<script type="module" async fetchpriority="high" crossorigin src="${address}" data-app="$1"></script>
    <link rel="modulepreload" crossorigin href="$1">`,
      );
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutUnusedParts, withoutUnusedSchemas, withIcon, withFirst],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The server reads here which files each screen begins with.
    manifest: 'manifest.json',
    target: 'es2023',
    cssTarget: browsersWithLightDark,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/first.ts`],
      output: {
        codeSplitting: fewFiles,
        // Short, and without who shares the file: the app carries the names of all files from its start.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
      },
    },
    chunkSizeWarningLimit: 700,
  },
});
