"""Texts of banks in the languages of the Latin code pages: headers, and what stands in rows."""

from random import Random
from typing import NamedTuple


class BankLanguage(NamedTuple):
    """A language's usual code pages, its header of date, text and amount, and texts of rows."""

    pages: tuple[str, ...]
    header: str
    texts: tuple[str, ...]


def _of(pages: str, header: str, texts: str) -> BankLanguage:
    return BankLanguage(
        tuple(pages.split()), header, tuple(each.strip() for each in texts.split("|"))
    )


LANGUAGES = {
    "nl": _of("cp1252", "Datum;Omschrijving;Bedrag", """België Telecom|één euro actie|Café de Kroon
        |Coöperatie Zuid|Albert Heijn|Ziekenhuis Brugge Patiënten|Reünie school|Jumbo|Huur maart"""),
    "fr": _of("cp1252 iso8859_15", "Date;Libelle;Montant", """Boulangerie Lefèvre|Pharmacie du Marché
        |Café de la Gare|Électricité|Loyer août|Hôtel du Château|Garçon Coiffeur|Père et fils|Carrefour
        |École Saint-Étienne|Crêperie Bretonne"""),
    "de": _of("cp1252 iso8859_15", "Datum;Verwendungszweck;Betrag", """Bäckerei Müller|Miete März
        |Café Schön|Größe Straße|Überweisung|REWE|Jürgen Weiß|Stadtwerke Köln|Grüne Apotheke"""),
    "es": _of("cp1252", "Fecha;Concepto;Importe", """Panadería López|Farmacia Núñez|Recibo teléfono
        |Café Málaga|Nómina|Alquiler|Transferencia a José|Colegio Español|Cádiz|Mercadona"""),
    "pt": _of("cp1252", "Data;Historico;Valor", """Padaria São João|Farmácia Central|Café Açoriano
        |Condomínio|Transferência|Salário março|Pão Quente|Continente|Irmãos Conceição"""),
    "it": _of("cp1252", "Data;Causale;Importo", """Caffè Roma|Farmacia Città|Università di Forlì
        |Attività varie|Esselunga|Affitto|Perché No|Bar Già|Società Gas|Più Fresco"""),
    "da": _of("cp1252", "Dato;Tekst;Saldo", """Købmand Sørensen|Løn|Bageri Ærø|Husleje|Netto
        |Grønthandler|Apotek Århus|Kørsel|Smørrebrød"""),
    "sv": _of("cp1252", "Datum;Text;Belopp", """Överföring|Lön|Bageri Åberg|Hyra mars|Malmö kök
        |Apotek Gävle|Systembolaget|Västerås El|Ica Nära"""),
    "no": _of("cp1252", "Dato;Forklaring;Belop", """Lønn|Bakeri Ås|Husleie|Kjøp Tromsø|Rema
        |Apotek Bodø|Strøm Ålesund|Gjær og brød|Ærlig Kaffe"""),
    "fi": _of("cp1252", "Paiva;Selitys;Summa", """Ruokakauppa Jyväskylä|Sähkölasku|Palkka|Vuokra
        |Apteekki Hämeenlinna|Kahvila Töölö|Pääsylippu|K-Market|Hyvä Ravintola"""),
    "cs": _of("cp1250 iso8859_2", "Datum;Popis;Castka", """Pekařství Dvořák|Lékárna Brno|Výplata
        |Nájem březen|Řeznictví Kučera|Potraviny Žižkov|Kavárna Plzeň|Albert|Jiří Němec
        |Ústí nad Labem"""),
    "pl": _of("cp1250 iso8859_2", "Data;Opis;Kwota", """Piekarnia Gołąb|Żabka Łódź|Apteka Kraków
        |Czynsz wrzesień|Księgarnia|Lidl|Sklep Świeży|Gdańsk Główny|Zdrowie i Życie
        |Małgorzata Wójcik"""),
    "hu": _of("cp1250 iso8859_2", "Datum;Megnevezes;Osszeg", """Pékség Győr|Gyógyszertár|Fizetés
        |Lakbér március|Spar|Étterem Erdő|Tűzhely Kft|Könyvesbolt Szőke|Benzinkút Pécs"""),
    "sk": _of("cp1250 iso8859_2", "Datum;Popis;Suma", """Pekáreň Novák|Lekáreň Žilina|Výplata
        |Nájomné marec|Potraviny Ľubica|Tesco|Kaviareň Košice|Mäso a údeniny|Ján Kováč|Štefánikova"""),
    "hr": _of("cp1250 iso8859_2", "Datum;Opis;Iznos", """Pekara Đuro|Ljekarna Čakovec|Plaća
        |Najam ožujak|Konzum|Kavana Šibenik|Knjižara Žagar|Tržnica Split|Marić i sin|Kovačević"""),
    "ro": _of("cp1250", "Data;Descriere;Suma", """Brutărie Bucureşti|Farmacia Braşov|Salariu
        |Chirie martie|Piaţa Centrală|Mega Image|Cafenea Iaşi|Întreţinere|Băcănie"""),
    "tr": _of("cp1254", "Tarih;Aciklama;Tutar", """Fırın Beşiktaş|Eczane Güneş|Maaş|Kira mart
        |Alışveriş Merkezi|Migros|Kahve Dünyası|Çiçekçi Ayşe|Elektrik Dağıtım|İstanbul Kart"""),
    "et": _of("cp1257", "Kuupaev;Selgitus;Summa", """Pagariäri Võru|Apteek Jõhvi|Palk|Üür märts
        |Kohvik Põhjala|Rimi|Söökla Tähe|Kütus|Õpik ja vihik"""),
    "lv": _of("cp1257", "Datums;Merkis;Summa", """Maiznīca Rīga|Aptieka Ķekava|Alga|Īre marts
        |Kafejnīca Ādaži|Rimi|Grāmatnīca|Ēdnīca Jūrmala|Ziedi Ņina"""),
    "lt": _of("cp1257", "Data;Paskirtis;Suma", """Kepykla Šiauliai|Vaistinė Alytus|Atlyginimas
        |Nuoma kovas|Kavinė Žvėrynas|Maxima|Knygynas Gėlė|Mėsinė Panevėžys|Lietuvių g."""),
}  # fmt: skip


def draw_table(random: Random, language: BankLanguage, rows: int) -> str:
    """Write a table of some rows whose texts are drawn, one of them with a letter above ASCII."""
    texts = [random.choice(language.texts) for _ in range(rows)]
    if "".join(texts).isascii():
        texts[-1] = random.choice([text for text in language.texts if not text.isascii()])
    lines = [
        f"{place % 28 + 1:02}.03.2026;{text};-{place + 1},50" for place, text in enumerate(texts)
    ]
    return "\n".join([language.header, *lines, ""])
