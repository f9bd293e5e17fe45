export type Name = [first: string, last: string];

export const demoCoaches: Name[] = [
  ['Denise', 'Okafor'],
  ['Miguel Ángel', 'Santamaría Ruiz'],
  ['Priya', 'Raghunathan'],
];

/** They are in the second program. The first one is apprentice@demo.example. */
export const lineWorkers: Name[] = [
  ['Rosa', 'Begay'],
  ['Tyrell', 'Hutchins'],
  ['Mercedes', 'Archuleta'],
  ['Owen', 'McAllister'],
  ['Nizhoni', 'Yazzie'],
  ['Héctor', 'Quiñones'],
  ['Katarzyna', 'Zielińska'],
];

/** The first one is participant@demo.example. */
export const activeFellows: Name[] = [
  ['Jordan', 'Whitfield'],
  ['Łukasz', 'Wiśniewski'],
  ['Amara', 'Nwosu'],
  ['Thị Minh Anh', 'Nguyễn'],
  ['Maximiliana Alexandrina', 'Featherstonehaugh-Cholmondeley'],
  ['DeShawn', 'Baptiste'],
  ['Zoë', 'Bergström'],
  ['Ignacio', 'Peña Villarreal'],
  ['Fatoumata', 'Diallo'],
  ['Kekoa', 'Kahananui'],
  ['Siobhán', 'O’Connell'],
  ['Rajesh', 'Venkataraman'],
  ['Li', 'Wu'],
  ['Yael', 'Ben-David'],
  ['Björn', 'Þorsteinsson'],
  ['Latoya', 'Montgomery'],
  ['Dimitrios', 'Papadopoulos'],
  ['Mehmet', 'Yıldırım'],
  ['Chiamaka', 'Eze-Washington'],
  ['Tomáš', 'Dvořák'],
  ['Rosa', 'Quispe Mamani'],
  ['Wendell', 'Begay'],
  ['Aaliyah', 'Haddad'],
  ['Kenji', 'Ōshima'],
];

export const formerFellows: Name[] = [
  ['Bernadette', 'Achterberg'],
  ['Omar', 'Farouk'],
  ['Shreya', 'Chatterjee'],
  ['Travis', 'McAllister'],
  ['Guadalupe', 'Echeverría'],
  ['Ngozi', 'Abara'],
  ['Håkon', 'Sørensen'],
  ['Patricia', 'Yellowhorse'],
  ['Emre', 'Çelik'],
  ['Monique', 'Desrosiers'],
  ['Vikram', 'Sethi'],
  ['Hannah', 'Kowalczyk'],
];

/** A file brings them in for the next cohort. */
export const comingFellows: Name[] = [
  ['Adaeze', 'Obi'],
  ['Carlos Eduardo', 'Figueiredo'],
  ['Ingrid', 'Nygård'],
  ['Terrence', 'Gaines'],
  ['Xiomara', 'Del Valle'],
  ['Pavel', 'Horák'],
  ['Jasmine', 'Robinson-Clarke'],
  ['Sione', 'Taufa'],
];

export function demoAddress([first, last]: Name): string {
  const plain = (text: string) =>
    text
      .replaceAll('ł', 'l')
      .replaceAll('Ł', 'L')
      .replaceAll('ø', 'o')
      .replaceAll('ı', 'i')
      .replaceAll('Þ', 'Th')
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase();
  return `${plain(first)}.${plain(last)}@people.demo.example`;
}
